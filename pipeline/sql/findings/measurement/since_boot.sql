-- All that a tool shows of the devices of a run is its first report, which usually is the mean since the start of the
-- system.
-- severity: note
select
    iostat_run.configuration,
    iostat_run.run,
    format(
        '{}: the only report of {} of `{}` usually is the mean since the start of the system, not of an interval.',
        source_file.path,
        run_text(iostat_run.run),
        iostat_run.configuration
    ) as text,
    iostat_run.file_id,
    min(iostat_run.line_no) as line_no

from iostat_run

inner join source_file using (file_id)

where iostat_run.is_since_boot

group by iostat_run.configuration, iostat_run.run, iostat_run.file_id, source_file.path
