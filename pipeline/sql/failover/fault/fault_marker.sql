-- One row per line `logger haledger fault` and incident in whose time it stands. UTC.
select
    incident.configuration,
    incident.run,
    syslog_event."at",
    line_resolution(syslog_event."at", stamp_resolution.resolution_s, stamp_resolution.whole_milli_s, stamp_resolution.whole_second_s) as resolution_s,
    syslog_event.file_id,
    syslog_event.line_no

from incident

inner join source_file
    on
        incident.configuration = source_file.configuration
        and (source_file.run is null or source_file.run is not distinct from incident.unit_run)

inner join log.syslog_event as syslog_event
    on
        source_file.file_id = syslog_event.file_id
        and contains(syslog_event.text, 'haledger fault')
        and syslog_event."at" between incident.search_start_at and incident.membership_at

inner join stamp_resolution
    on syslog_event.file_id = stamp_resolution.file_id
