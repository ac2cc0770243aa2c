-- One row per used run and host: shares of the processors' time, means of the run's reports, with the line of the first of them.
select
    cpu.configuration,
    cpu.run,
    runs.run_no,
    cpu.node,
    cpu.source,
    count(*) as reports,
    avg(cpu.user_pct) as user_pct,
    avg(cpu.system_pct) as system_pct,
    avg(cpu.iowait_pct) as iowait_pct,
    avg(cpu.idle_pct) as idle_pct,
    avg(cpu.busy_pct) as busy_pct,
    min(files.path) as path,
    min(cpu.line_no) filter (where files.path = first_file.path) as line_no

from main.iostat_cpu as cpu

inner join main.run as runs
    on cpu.configuration = runs.configuration
    and cpu.run = runs.run

inner join main.source_file as files
    on cpu.file_id = files.file_id

inner join (
    select cpu.configuration, cpu.run, cpu.node, cpu.source, min(files.path) as path

    from main.iostat_cpu as cpu

    inner join main.source_file as files
        on cpu.file_id = files.file_id

    where not cpu.is_since_boot and cpu.cpu = 'all'

    group by cpu.configuration, cpu.run, cpu.node, cpu.source
) as first_file
    on cpu.configuration = first_file.configuration
    and cpu.run = first_file.run
    and cpu.node is not distinct from first_file.node
    and cpu.source = first_file.source

where runs.used
    and not cpu.is_since_boot
    and cpu.cpu = 'all'

group by cpu.configuration, cpu.run, runs.run_no, cpu.node, cpu.source

order by cpu.configuration, runs.run_no nulls last, cpu.run, cpu.node, cpu.source
