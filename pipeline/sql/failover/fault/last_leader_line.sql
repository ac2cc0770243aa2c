-- One row per leader that was lost without an order and log, host and program there: the last line before the leader
-- was missed, and whether the program goes on. Times in UTC.
-- columns:
--   stack: whose leader it was
--   process: program that wrote it
--   is_cut_off: a process that wrote before writes on after the loss was seen, for a minute at most: it was cut off,
--     and what it wrote before may be later than that
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
            is_same_unit(lost_leader, leader_line)
            and lost_leader.stack = leader_line.stack
            and lost_leader.former_key = leader_line.node_key

    where not lost_leader.is_planned

),

lines as (

    select
        logs.configuration,
        logs.run,
        logs.stack,
        logs.loss_at,
        logs.node,
        event.process,
        event.pid,
        event."at",
        event."at" <= logs.membership_at and event."at" < logs.loss_at as is_before,
        logs.file_id,
        event.line_no

    from logs

    inner join event
        on
            logs.file_id = event.file_id
            and logs.node = event.node
            and event."at" <= logs.loss_at + interval 1 minute

),

ends as (

    select
        *,
        -- so soon after the loss the last lines of who died are logged
        "at" > loss_at + interval 2 second
        and coalesce(bool_or(is_before) over same_process, false) as is_cut_off

    from lines

    window same_process as (partition by configuration, run, stack, loss_at, node, process, pid, file_id)

)

select
    configuration,
    run,
    stack,
    loss_at,
    node,
    process,
    max("at") filter (where is_before) as "at",
    bool_or(is_cut_off) as is_cut_off,
    file_id,
    arg_max(line_no, ("at", line_no)) filter (where is_before) as line_no

from ends

group by configuration, run, stack, loss_at, node, process, file_id

having bool_or(is_before)
