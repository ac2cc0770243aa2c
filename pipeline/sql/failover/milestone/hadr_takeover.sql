-- One row per TAKEOVER HADR command that a database received. Times in UTC, durations in seconds.
-- The new primary's and, where its log is there too, the old primary's side are rows of their own, distinguished by from_role.
-- A role switch is done when the peer state is reached in the other role; a take-over by force when the role is
-- primary. A command that is followed by another one before that has no end, and counts as failed for the later ones.
-- columns:
--   node: host on which the database is
--   database: database, in capitals
--   command_at: when the command was received
--   done_at: when the database was in its new role; null where that is not logged before the next command
--   duration_s: from the command to its end; null without an end
--   is_forced: by force; null where no record says so
--   is_peer_window_only: by force, but only within the peer window
--   from_role: role before: standby on the new primary, primary on the old one; null where no record shows it
--   failed_attempts: take-overs of the database that were begun and not done directly before this one
--   conn_id: connection on which the new state was reached
--   done_kind: hadr_state or hadr_role: the record that shows the end
--   file_id: file of the command
--   done_line_no: its line
with

events as (  -- a copy of a log shows nothing new

    select * replace (upper(database) as database)

    from hadr_event

    where "at" is not null and kind in ('hadr_command', 'hadr_takeover', 'hadr_state', 'hadr_role')

    qualify row_number() over (
        partition by configuration, run, node, instance, upper(database), member, "at", kind, text
        order by file_id, line_no, part
    ) = 1

),

commands as (

    select
        *,
        lead("at") over (
            partition by configuration, run, node, instance, database, member order by "at", file_id, line_no
        ) as next_command_at

    from events

    where kind = 'hadr_command'

),

takeovers as (

    select * from commands where command = 'takeover'

),

reported as (  -- how it is done; the old primary says so just before the command reaches its agents

    select
        takeovers.file_id,
        takeovers.line_no,
        events.is_forced,
        events.is_peer_window_only,
        events.side

    from takeovers

    inner join events
        on
            events.kind = 'hadr_takeover'
            and events.configuration is not distinct from takeovers.configuration
            and events.run is not distinct from takeovers.run
            and events.node is not distinct from takeovers.node
            and events.instance is not distinct from takeovers.instance
            and events.database is not distinct from takeovers.database
            and events.member is not distinct from takeovers.member
            and events."at" >= takeovers."at" - interval 10 second
            and (takeovers.next_command_at is null or events."at" < takeovers.next_command_at)

    qualify row_number() over (
        partition by takeovers.file_id, takeovers.line_no
        order by abs(epoch_us(events."at") - epoch_us(takeovers."at")), events.file_id, events.line_no
    ) = 1

),

changes as (  -- into the other role

    select *

    from events

    where
        (kind = 'hadr_state' and old_role <> new_role)
        or (kind = 'hadr_role' and old_role in ('primary', 'standby') and old_role <> new_role)

),

ends as (

    select
        takeovers.file_id as takeover_file_id,
        takeovers.line_no as takeover_line_no,
        changes.*

    from takeovers

    left join reported using (file_id, line_no)

    inner join changes
        on
            changes.configuration is not distinct from takeovers.configuration
            and changes.run is not distinct from takeovers.run
            and changes.node is not distinct from takeovers.node
            and changes.instance is not distinct from takeovers.instance
            and changes.database is not distinct from takeovers.database
            and changes.member is not distinct from takeovers.member
            and changes."at" >= takeovers."at"
            and (takeovers.next_command_at is null or changes."at" < takeovers.next_command_at)

    qualify row_number() over (
        partition by takeovers.file_id, takeovers.line_no
        order by
            case
                when coalesce(reported.is_forced, false) then changes.kind = 'hadr_role' and changes.new_role = 'primary'
                else changes.kind = 'hadr_state' and changes.new_state = 'peer'
            end desc,
            changes."at",
            changes.file_id,
            changes.line_no
    ) = 1

),

attempts as (

    select
        takeovers.*,
        reported.is_forced as reported_forced,
        reported.is_peer_window_only as reported_window_only,
        reported.side as reported_side,
        ends."at" as done_at,
        ends.old_role as done_from_role,
        ends.conn_id as done_conn_id,
        ends.kind as done_kind,
        ends.file_id as done_file_id,
        ends.line_no as done_line_no

    from takeovers

    left join reported using (file_id, line_no)

    left join ends
        on takeovers.file_id = ends.takeover_file_id and takeovers.line_no = ends.takeover_line_no

),

in_series as (  -- a series ends with a take-over that was done

    select
        *,
        count(done_at) over (
            partition by configuration, run, node, instance, database, member
            order by "at", file_id, line_no
            rows between unbounded preceding and 1 preceding
        ) as done_count

    from attempts

)

select
    configuration,
    run,
    node,
    instance,
    database,
    member,
    "at" as command_at,
    done_at,
    (epoch_us(done_at) - epoch_us("at")) / 1e6 as duration_s,
    reported_forced as is_forced,
    reported_window_only as is_peer_window_only,
    coalesce(done_from_role, reported_side) as from_role,
    row_number() over (
        partition by configuration, run, node, instance, database, member, done_count
        order by "at", file_id, line_no
    ) - 1 as failed_attempts,
    done_conn_id as conn_id,
    done_kind,
    file_id,
    line_no,
    done_file_id,
    done_line_no

from in_series

order by configuration, run, command_at, file_id, line_no
