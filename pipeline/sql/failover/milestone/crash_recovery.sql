-- One row per crash recovery of a database. Times in UTC, durations in seconds.
-- It is found to be needed, started, its redo (forward phase) done, its undo done. A recovery that is needed or started
-- again before it was done is the same one, with a failed attempt; times but needed_at are those of the last attempt.
-- columns:
--   node: host on which the database is
--   database: database, in capitals; null where no record of the recovery names it
--   needed_at: first found to be needed
--   started_at: start of the last attempt
--   forward_done_at: redo done
--   sync_done_at: synchronous processing done: the database can be connected to, from V11.1 on
--   done_at: recovery done
--   redo_s: from start to redo done
--   undo_s: from redo done to done
--   duration_s: from the first record, of any attempt, to done
--   failed_attempts: attempts that were followed by another one, or that DB2 says have failed
--   file_id: file of the first record
--   done_line_no: its line
with

records as (

    select *

    from db2diag_record

    where
        "at" is not null
        and kind in (
            'crash_recovery_needed', 'crash_recovery_started', 'recovery_initiated', 'forward_phase_done',
            'sync_phase_done', 'crash_recovery_done', 'recovery_ok', 'recovery_failed'
        )

    -- a copy of a log shows nothing new
    qualify row_number() over (
        partition by configuration, run, node, instance, upper(database), member, "at", kind, message
        order by file_id, line_no
    ) = 1

),

named as (  -- V8.1 finds the need for a recovery before it names the database

    select
        * replace (
            coalesce(
                upper(database),
                first_value(upper(database) ignore nulls) over (
                    partition by file_id, instance, member, pid, appid
                    order by "at", line_no
                    rows between current row and unbounded following
                )
            ) as database
        ),
        case
            when kind in ('crash_recovery_needed', 'crash_recovery_started', 'recovery_initiated') then 'begin'
            when kind in ('crash_recovery_done', 'recovery_ok') then 'end'
        end as phase_end

    from records

),

bounded as (  -- whether the nearest begin or end before a record is an end, or there is none

    select
        *,
        coalesce(
            lag(phase_end ignore nulls) over (
                partition by configuration, run, node, instance, database, member order by "at", file_id, line_no
            ),
            'end'
        ) = 'end' as is_closed

    from named

),

numbered as (

    select
        *,
        count(*) filter (where phase_end = 'begin' and is_closed) over (
            partition by configuration, run, node, instance, database, member
            order by "at", file_id, line_no
            rows between unbounded preceding and current row
        ) as recovery_no

    from bounded

),

attempts as (  -- an attempt begins with the first of needed, started, initiated after another kind, or with the same again

    select
        *,
        max("at") filter (where kind = 'crash_recovery_needed') over recovery as last_needed_at,
        max("at") filter (where kind = 'crash_recovery_started') over recovery as last_started_at,
        max("at") filter (where kind = 'recovery_initiated') over recovery as last_initiated_at

    from numbered

    window recovery as (partition by configuration, run, node, instance, database, member, recovery_no)

),

recoveries as (

    select
        configuration,
        run,
        node,
        instance,
        database,
        member,
        recovery_no,
        min("at") as first_at,
        min("at") filter (where kind = 'crash_recovery_needed') as needed_at,
        coalesce(any_value(last_started_at), any_value(last_initiated_at)) as started_at,
        max("at") filter (
            where kind = 'forward_phase_done' and "at" >= coalesce(last_started_at, last_initiated_at, "at")
        ) as forward_done_at,
        min("at") filter (
            where kind = 'sync_phase_done' and "at" >= coalesce(last_started_at, last_initiated_at, "at")
        ) as sync_done_at,
        coalesce(
            min("at") filter (where kind = 'crash_recovery_done'), min("at") filter (where kind = 'recovery_ok')
        ) as done_at,
        greatest(
            count(*) filter (where kind = 'crash_recovery_needed'),
            count(*) filter (where kind = 'crash_recovery_started'),
            1
        ) - 1 as repeated_count,
        count(*) filter (where kind = 'recovery_failed') as reported_failed_count,
        min_by(file_id, ("at", file_id, line_no)) as file_id,
        min_by(line_no, ("at", file_id, line_no)) as line_no,
        coalesce(
            min_by(file_id, ("at", file_id, line_no)) filter (where kind = 'crash_recovery_done'),
            min_by(file_id, ("at", file_id, line_no)) filter (where kind = 'recovery_ok')
        ) as done_file_id,
        coalesce(
            min_by(line_no, ("at", file_id, line_no)) filter (where kind = 'crash_recovery_done'),
            min_by(line_no, ("at", file_id, line_no)) filter (where kind = 'recovery_ok')
        ) as done_line_no

    from attempts

    group by configuration, run, node, instance, database, member, recovery_no

)

select
    configuration,
    run,
    node,
    instance,
    database,
    member,
    needed_at,
    started_at,
    forward_done_at,
    sync_done_at,
    done_at,
    (epoch_us(forward_done_at) - epoch_us(started_at)) / 1e6 as redo_s,
    (epoch_us(done_at) - epoch_us(forward_done_at)) / 1e6 as undo_s,
    (epoch_us(done_at) - epoch_us(first_at)) / 1e6 as duration_s,
    greatest(repeated_count, reported_failed_count) as failed_attempts,
    file_id,
    line_no,
    done_file_id,
    done_line_no

from recoveries

order by configuration, run, first_at, file_id, line_no
