-- One row per fact that a run's files state of the machine or the software; the same fact in several files is one row.
-- Two values of one name in a run are two rows: something was exchanged, or hosts differ.
-- columns:
--   run: run folder; null where the file lies above the runs, or where time splits runs
--   node: host that the fact is about, short name; else the host that the file is from
--   subject: what it is about: db2, os, cpu, memory, kernel, limit, disk, ...
--   name: what of it: version, release, online, physical_total, ...
--   value: value as printed
--   unit: unit of the value; null where it has none
--   file_id: first file that gives it
with

facts as (

    select
        source_file.configuration,
        source_file.run,
        writer_host(environment_fact.host, source_file.node) as node,
        environment_fact.subject,
        environment_fact.name,
        environment_fact.value,
        environment_fact.unit,
        environment_fact.file_id,
        environment_fact.line_no,
        environment_fact.part

    from log.environment_fact as environment_fact

    inner join source_file using (file_id)

)

select * exclude (part)

from facts

qualify row_number() over (
    partition by configuration, run, node, subject, name, value, unit order by file_id, line_no, part
) = 1

order by configuration, run, node, file_id, line_no, part
