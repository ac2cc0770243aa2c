-- One row per line that the surviving node wrote between the loss and the end of an incident with the words of a
-- refusal. Times in UTC. In a log of several runs, only lines of the run's own stretch count, as of the questions.
-- columns:
--   reason: the words, as the client notes them
with

reasons as (

    select distinct
        incident.configuration,
        incident.unit_run,
        incident.run,
        incident.surviving_key,
        incident.membership_at,
        least(incident.end_at, run_window.end_at) as end_at,
        refused_question.reason

    from refused_question

    inner join incident using (configuration, run)

    left join run_window
        on
            incident.unit_run is null
            and incident.configuration = run_window.configuration
            and incident.run = run_window.run

)

select
    reasons.configuration,
    reasons.unit_run,
    reasons.run,
    reasons.reason,
    syslog_event."at",
    line_resolution(
        syslog_event."at", stamp_resolution.resolution_s, stamp_resolution.whole_milli_s, stamp_resolution.whole_second_s
    ) as resolution_s,
    syslog_event.file_id,
    syslog_event.line_no

from reasons

inner join source_file
    on
        reasons.configuration = source_file.configuration
        and (source_file.run is null or reasons.run = source_file.run)

inner join stamp_resolution using (file_id)

inner join log.syslog_event as syslog_event
    on
        source_file.file_id = syslog_event.file_id
        and syslog_event."at" >= reasons.membership_at
        and syslog_event."at" < reasons.end_at
        and contains(syslog_event.text, reasons.reason)
        and lower(writer_host(syslog_event.host, source_file.node)) = reasons.surviving_key
