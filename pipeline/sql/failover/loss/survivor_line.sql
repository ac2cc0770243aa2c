-- One row per line of the system log of a surviving node, while that is watched, that says that the node goes down or
-- starts; where it does so without having been told to, also the last line of each instant at which it wrote anything.
-- columns:
--   is_boot: the operating system starts
--   is_panic: the node panics, or is thrown out of the cluster
--   is_shutdown: somebody shuts the node down
with

lines as (

    select
        watch.configuration,
        watch.run,
        syslog_event."at",
        syslog_event.file_id,
        syslog_event.line_no,
        coalesce(is_boot_text(syslog_event.text, syslog_event.tag), false) as is_boot,
        coalesce(is_panic_text(syslog_event.text, syslog_event.tag), false) as is_panic,
        coalesce(
            regexp_matches(
                syslog_event.text,
                '(?i)exiting on signal 15|shutting down|rebooted by|halted by|reached target (?:shutdown|reboot)|going down'
            )
            and not is_panic_setting(syslog_event.text),
            false
        ) as is_shutdown

    from survivor_watch as watch

    inner join unit_file
        on watch.configuration = unit_file.configuration and watch.unit_run is not distinct from unit_file.unit_run

    inner join source_file
        on unit_file.file_id = source_file.file_id

    inner join log.syslog_event as syslog_event
        on
            unit_file.file_id = syslog_event.file_id
            and lower(writer_host(syslog_event.host, source_file.node)) = watch.surviving_key
            and syslog_event."at" > watch.membership_at
            and syslog_event."at" < watch.until_at

),

restarts as (

    select configuration, run from lines where is_boot or is_panic
    union
    select configuration, run from survivor_watch where is_started_again

)

select * from lines where is_boot or is_panic or is_shutdown

union

select configuration, run, "at", file_id, max(line_no), false, false, false

from lines

semi join restarts using (configuration, run)

group by configuration, run, "at", file_id
