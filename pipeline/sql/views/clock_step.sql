-- One row per step back of a clock within an incident: a line stamped more than 2 s before the one above it in its file.
-- Durations that cross it are doubtful. Several hosts in one file are told apart; a step forward cannot be seen.
-- materialised: reads every line of the incidents in file order
-- empty without rows of: incident
-- columns:
--   configuration: folder group
--   run: run
--   file_id: file
--   line_no: line after the step
--   at: its stamp, UTC
--   step_s: seconds back
with

windows as (

    select
        source_file.file_id,
        incident.configuration,
        incident.run,
        incident.search_start_at,
        incident.end_at

    from incident

    inner join source_file
        on incident.configuration = source_file.configuration and incident.unit_run is not distinct from source_file.run

),

stamps as (

    select file_id, line_no, part, "at", host from log.syslog_event where "at" is not null
    union all
    select vcs_event.file_id, vcs_event.line_no, vcs_event.part, vcs_event."at", null

    from log.vcs_event as vcs_event

    inner join source_file
        on vcs_event.file_id = source_file.file_id and source_file.format = 'vcs_engine'

    where vcs_event."at" is not null

),

spans as (  -- of all incidents that a file may show: windows overlap, and a line is looked at once here

    select file_id, min(search_start_at) as first_at, max(end_at) as last_at

    from windows

    group by file_id

),

heights as (

    select
        stamps.file_id,
        stamps.host,
        stamps."at",
        max(stamps."at") over (
            partition by stamps.file_id, stamps.host
            order by stamps.line_no, stamps.part
            rows unbounded preceding
        ) as highest_at

    from stamps

    inner join spans
        on
            stamps.file_id = spans.file_id
            and stamps."at" >= spans.first_at
            and stamps."at" < spans.last_at

),

suspects as (  -- elsewhere no line lies behind any line above it, be it the one above within an incident or not

    select distinct file_id, host from heights where epoch_us(highest_at) - epoch_us("at") > 2000000

),

steps as (

    select
        windows.configuration,
        windows.run,
        stamps.file_id,
        stamps.line_no,
        stamps."at",
        epoch_us(lag(stamps."at") over (
            partition by windows.configuration, windows.run, stamps.file_id, stamps.host
            order by stamps.line_no, stamps.part
        )) - epoch_us(stamps."at") as step_us

    from windows

    inner join stamps
        on
            windows.file_id = stamps.file_id
            and stamps."at" >= windows.search_start_at
            and stamps."at" < windows.end_at

    inner join suspects
        on stamps.file_id = suspects.file_id and stamps.host is not distinct from suspects.host

)

select configuration, run, file_id, line_no, "at", step_us / 1000000 as step_s

from steps

where step_us > 2000000

order by configuration, run, file_id, line_no
