-- One row per log line by which a node leaves its cluster in order, or somebody orders it to leave or to run nothing. Times in UTC.
-- The node says it itself (its cluster manager, corosync or operating system stops), its peers announce it, or a person ordered it. A loss that follows
-- is planned, unless the node came back or was to be fenced in between: see `node_loss_evidence`.
-- materialised: small, and read by several steps of the failover analysis
-- rows by: configuration
-- empty without rows of: ha_line, log.vcs_event_line
-- columns:
--   node_key: node that leaves, in small letters; * for all nodes
--   at: stamp as printed
--   how: shutdown, standby, maintenance
--   is_revoked: the order was taken back: the node may run something again
--   is_own: the node itself wrote the line
--   until_at: a loss later than this does not follow from it
with

said as (

    select
        ha_line.configuration,
        ha_line.unit_run,
        coalesce(
            ha_line.peer_key,
            lower(cluster_node.node),
            case when ha_line.peer_id is null then ha_line.node_key end
        ) as node_key,
        ha_line.node_key as writer_key,
        case
            when ha_line.kind = 'standby_wanted' then 'standby'
            when ha_line.kind = 'leave_wanted' then ha_line.action
            else 'shutdown'
        end as how,
        ha_line.kind = 'leave_wanted' and coalesce(lower(ha_line.new_state) in ('off', 'false', '(unset)', '0', 'no'), false) as is_revoked,
        ha_line."at",
        ha_line.file_id,
        ha_line.line_no,
        ha_line.part

    from ha_line

    left join cluster_node
        on
            ha_line.configuration = cluster_node.configuration
            and cluster_node.series = 'corosync'
            and ha_line.peer_id = cluster_node.node_id

    where
        ha_line.kind in ('shutdown_notice', 'standby_wanted', 'leave_wanted')
        or (ha_line.kind = 'other' and ha_line.action = 'shutdown')

),

commands as (  -- of VCS

    select
        source_file.configuration,
        coalesce(source_file.run, run_range.run) as unit_run,
        lower(short_host(source_file.node)) as writer_key,
        regexp_extract(vcs_event.text, 'fired command: (hastop\b.*)$', 1) as command,
        vcs_event."at",
        vcs_event.file_id,
        vcs_event.line_no,
        vcs_event.part

    from log.vcs_event as vcs_event

    inner join source_file using (file_id)

    left join run_range
        on
            source_file.run is null
            and source_file.configuration = run_range.configuration
            and vcs_event."at" >= run_range.start_at
            and vcs_event."at" < run_range.end_at

    where vcs_event.kind = 'user_command' and contains(vcs_event.text, 'hastop')

),

lines as (

    select * from said

    union all by name

    select
        * exclude (command),
        case
            when regexp_matches(command, '-all\b') then '*'
            when contains(command, '-sys') then lower(short_host(regexp_extract(command, '-sys\s+(\S+)', 1)))
            else writer_key
        end as node_key,
        'shutdown' as how,
        false as is_revoked

    from commands

    where command <> ''

)

select
    configuration,
    unit_run,
    node_key,
    "at",
    how,
    is_revoked,
    node_key is not distinct from writer_key as is_own,
    "at" + case when how = 'shutdown' then interval 10 minute else interval 1 hour end as until_at,
    file_id,
    line_no,
    part

from lines

where node_key is not null and node_key <> '' and "at" is not null

order by configuration, unit_run, "at", file_id, line_no, part
