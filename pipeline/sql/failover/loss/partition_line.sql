-- One row per log line of a node of a partition, while that is looked at, that says that the node starts or goes down,
-- and one per instant at which it wrote anything, the last.
-- columns:
--   is_boot: the operating system or the drivers of the cluster start
--   is_panic: the node panics, resets itself, or is thrown out of the cluster
with

system_lines as (

    select
        side.configuration,
        side.unit_run,
        side.event_no,
        side.node_key,
        syslog_event."at",
        syslog_event.file_id,
        syslog_event.line_no,
        syslog_event.text,
        syslog_event.tag

    from partition_side as side

    inner join unit_file
        on side.configuration = unit_file.configuration and side.unit_run is not distinct from unit_file.unit_run

    inner join source_file
        on unit_file.file_id = source_file.file_id

    inner join log.syslog_event as syslog_event
        on
            unit_file.file_id = syslog_event.file_id
            and lower(writer_host(syslog_event.host, source_file.node)) = side.node_key
            and syslog_event."at" >= side.own_at
            and syslog_event."at" < side.end_at

),

manager_lines as (

    select
        side.configuration,
        side.unit_run,
        side.event_no,
        side.node_key,
        vcs_event."at",
        vcs_event.file_id,
        vcs_event.line_no,
        null as text,
        null as tag

    from partition_side as side

    inner join unit_file
        on
            is_same_unit(side, unit_file)
            and side.node_key = unit_file.node_key
            and unit_file.format <> 'syslog'

    inner join log.vcs_event as vcs_event
        on
            unit_file.file_id = vcs_event.file_id
            and vcs_event."at" >= side.own_at
            and vcs_event."at" < side.end_at

),

lines as (

    select
        * exclude (text, tag),
        coalesce(is_boot_text(text, tag) or regexp_matches(text, 'LLT Protocol available|GAB available'), false) as is_boot,
        coalesce(
            is_panic_text(text, tag)
            or (
                regexp_matches(text, '(?i)rebooting system|sysrq.*resetting|self-?fenc')
                and not is_panic_setting(text)
            ),
            false
        ) as is_panic

    from (select * from system_lines union all select * from manager_lines)

)

select * from lines where is_boot or is_panic

union

select configuration, unit_run, event_no, node_key, "at", file_id, max(line_no), false, false

from lines

group by configuration, unit_run, event_no, node_key, "at", file_id
