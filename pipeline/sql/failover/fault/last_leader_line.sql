-- One row per leader that was lost without an order and log, host and program there: the last line before the leader was missed. Times in UTC.
-- columns:
--   stack: whose leader it was
--   loss_at: first line by which it was missed
--   process: program that wrote it
with

logs as (

    select distinct
        lost_leader.configuration,
        lost_leader.run,
        lost_leader.stack,
        lost_leader.loss_at,
        lost_leader.membership_at,
        leader_line.node,
        leader_line.file_id

    from lost_leader

    inner join leader_line
        on
            lost_leader.configuration = leader_line.configuration
            and lost_leader.unit_run is not distinct from leader_line.unit_run
            and lost_leader.stack = leader_line.stack
            and lost_leader.former_key = leader_line.node_key

    where not lost_leader.is_planned

)

select
    logs.configuration,
    logs.run,
    logs.stack,
    logs.loss_at,
    logs.node,
    event.process,
    max(event."at") as "at",
    logs.file_id,
    arg_max(event.line_no, (event."at", event.line_no)) as line_no

from logs

inner join event
    on
        logs.file_id = event.file_id
        and logs.node = event.node
        and event."at" <= logs.membership_at
        and event."at" < logs.loss_at

group by logs.configuration, logs.run, logs.stack, logs.loss_at, logs.node, event.process, logs.file_id
