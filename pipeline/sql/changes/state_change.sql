-- One row per change of a state that logs tell: of resources, disks, connections and members, leaders, roles, and of
-- fencing. A state that a second line repeats, of the same node or of another that sees the same, is no change. A
-- state that a log shows first is one, from a state that is not known; what VCS finds as it starts is none.
-- columns:
--   run: run folder, else the run in whose time the line lies; null outside of all
--   node: host whose state it is, or that sees it; where the line does not tell, the one that wrote it
--   at: stamp of the first line that tells it, UTC
--   subject: resource (also groups, databases, addresses, servers), disk, peer (hosts, links, connections, quorum),
--     leader, fence, role
--   name: what has the state: resource, group, device, database, host, link
--   from_state: as the line has it, else the state that was told before; null where none was
--   to_state: as the log has it, or in a word what it says: lost, joined, started, stopped, failed, fenced, ...
--   source: vcs, gab, llt, db2diag, drbd, corosync, pacemaker, patroni, ...
with

stated as (

    select * from member_state
    union all by name
    select * from system_state

),

told as (  -- in a log of several runs each goes on from the one before

    select
        stated.*,
        source_file.run as folder

    from stated

    inner join source_file using (file_id)

),

once as (  -- the logs of several hosts tell the same

    select *

    from told

    where to_state is not null and name is not null and "at" is not null

    qualify
        min(struct_pack("at", file_id)) over (
            partition by configuration, folder, subject, lower(name), lower(viewer), source, lower(to_state)
            order by "at"
            range between interval 5 second preceding and current row
        ).file_id = file_id

),

followed as (

    select
        *,
        lag(to_state) over (
            partition by configuration, folder, subject, lower(name), lower(viewer), case when subject in ('leader', 'role') then source end
            order by "at", file_id, line_no, part
        ) as told_before

    from once

)

select
    configuration,
    run,
    node,
    "at",
    subject,
    name,
    coalesce(from_state, told_before) as from_state,
    to_state,
    source,
    file_id,
    line_no,
    part

from followed

where
    (told_before is null or lower(told_before) <> lower(to_state))
    and (from_state is null or lower(from_state) <> lower(to_state))
    and not (is_start and (told_before is null or subject = 'leader'))

order by configuration, run, "at", file_id, line_no, part, subject
