-- One row per line by which a node may leave its cluster, or somebody orders it to. Times in UTC.
-- columns:
--   kind: shutdown_notice, standby_wanted, leave_wanted, stop_command (`hastop`), other: the cluster manager or
--     operating system stops
--   action: standby or maintenance, where a line asks for one of these
--   state: value that it asks for
--   leaver_key: node that leaves, in small letters; * for all nodes; null where only its id is known
--   leaver_id: its id in corosync's ring
with

commands as (

    select
        source_file.configuration,
        coalesce(source_file.run, run_range.run) as unit_run,
        lower(short_host(source_file.node)) as node_key,
        regexp_extract(vcs_event.text, 'fired command: (hastop\b.*)$', 1) as command,
        vcs_event."at",
        vcs_event.file_id,
        vcs_event.line_no,
        vcs_event.part

    from log.vcs_event as vcs_event

    inner join source_file using (file_id)

    left join run_range
        on source_file.run is null and is_in_range(source_file.configuration, vcs_event."at", run_range)

    where vcs_event.kind = 'user_command' and contains(vcs_event.text, 'hastop') and vcs_event."at" is not null

)

select
    configuration,
    unit_run,
    node_key,
    kind,
    action,
    new_state as state,
    coalesce(peer_key, case when peer_id is null then node_key end) as leaver_key,
    peer_id as leaver_id,
    "at",
    file_id,
    line_no,
    part

from ha_line

where kind in ('shutdown_notice', 'standby_wanted', 'leave_wanted') or (kind = 'other' and action = 'shutdown')

union all by name

select
    * exclude (command),
    'stop_command' as kind,
    case
        when regexp_matches(command, '-all\b') then '*'
        when contains(command, '-sys') then lower(short_host(regexp_extract(command, '-sys\s+(\S+)', 1)))
        else node_key
    end as leaver_key

from commands

where command <> ''
