-- One row per counter of DB2's monitor and interval between two snapshots: how much was counted, and per second.
-- The element `transactions` is commits plus rollbacks of applications; internal ones are not in it.
-- No row for an interval in which counting started again: another first connection or reset, or a counter that fell.
-- columns:
--   level: what the snapshots are of: database, tablespace, bufferpool, application, ...
--   element: identifier of the counter: commit_sql_stmts, log_writes, ..., transactions
--   unit: unit of delta; null for a bare count
--   segment_no: stretch of snapshots without a new start of counting, from 1
--   start_at: earlier snapshot, UTC
--   end_at: later snapshot, UTC
--   interval_s: seconds between them
--   delta: counted in between, in the unit
--   per_s: the same per second
--   file_id: file of the later snapshot
with

counters as (

    select *

    from snapshot_counter

    where is_counter and "at" is not null

    -- what occurs twice in one snapshot, such as statements of a cache, is no single series
    qualify count(distinct value) over (
        partition by
            configuration, run, node, level, database, entity_kind, entity, element, "at"
    ) = 1

),

single as (  -- copies of a snapshot count once

    select *

    from counters

    qualify row_number() over (
        partition by configuration, run, node, level, database, entity_kind, entity, element, "at"
        order by file_id, line_no, part
    ) = 1

),

steps as (

    select
        *,
        lag("at") over series as start_at,
        lag(value) over series as start_value,
        lag(counted_since) over series is distinct from counted_since as is_other_count

    from single

    window
        series as (
            partition by configuration, run, node, level, database, entity_kind, entity, element order by "at"
        )

),

evaluated as (

    select
        *,
        is_other_count
        or value < start_value
        -- what every load moves: where one of these fell, the others started again too, whether they show it or not
        or coalesce(
            bool_or(
                value < start_value
                and element in (
                    'commit_sql_stmts',
                    'rollback_sql_stmts',
                    'rows_read',
                    'select_sql_stmts',
                    'uid_sql_stmts',
                    'log_writes',
                    'num_log_write_io'
                )
            ) over (partition by configuration, run, node, level, database, entity_kind, entity, "at"),
            false
        ) as is_new_count

    from steps

),

segments as (

    select
        *,
        sum((start_at is null or is_new_count)::integer) over (
            partition by configuration, run, node, level, database, entity_kind, entity, element order by "at"
        )::integer as segment_no

    from evaluated

),

deltas as (

    select
        configuration,
        run,
        node,
        level,
        database,
        entity_kind,
        entity,
        element,
        unit,
        segment_no,
        start_at,
        "at" as end_at,
        epoch("at" - start_at) as interval_s,
        value - start_value as delta,
        file_id,
        line_no

    from segments

    where start_at is not null and not is_new_count

),

transactions as (

    select
        commits.* replace (
            'transactions' as element,
            greatest(commits.segment_no, rollbacks.segment_no) as segment_no,
            commits.delta + rollbacks.delta as delta
        )

    from deltas as commits

    inner join deltas as rollbacks
        on
            commits.configuration is not distinct from rollbacks.configuration
            and commits.run is not distinct from rollbacks.run
            and commits.node is not distinct from rollbacks.node
            and commits.level is not distinct from rollbacks.level
            and commits.database is not distinct from rollbacks.database
            and commits.entity_kind is not distinct from rollbacks.entity_kind
            and commits.entity is not distinct from rollbacks.entity
            and commits.start_at = rollbacks.start_at
            and commits.end_at = rollbacks.end_at

    where commits.element = 'commit_sql_stmts' and rollbacks.element = 'rollback_sql_stmts'

),

rates as (

    select * from deltas
    union all
    select * from transactions

)

select
    * exclude (file_id, line_no),
    delta / nullif(interval_s, 0) as per_s,
    file_id,
    line_no

from rates

order by configuration, run, node, database, level, entity_kind, entity, element, start_at
