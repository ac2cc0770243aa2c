-- Nodes of VCS write of the same events at different times, in runs whose times are of more than one clock.
-- severity: warning
with

runs as (  -- the fault is declared by some clock, or steps are read from several nodes

    select run.configuration, run.run

    from run

    left join milestone using (configuration, run)

    left join source_file
        on milestone.file_id = source_file.file_id

    where run.used

    group by run.configuration, run.run

    having bool_or(run.fault_source = 'manifest') or count(distinct source_file.node) filter (where source_file.format like 'vcs%') > 1

),

written as (  -- messages that a node wrote once in the run

    select
        runs.configuration,
        runs.run,
        source_file.node,
        line.message_no,
        min(line."at") as "at",
        min(line.file_id) as file_id,
        min(line.line_no) as line_no

    from runs

    inner join source_file
        on runs.configuration = source_file.configuration and runs.run = source_file.run and source_file.format = 'vcs_engine'

    inner join log.vcs_event_line as line using (file_id)

    where source_file.node is not null and line."at" is not null

    group by runs.configuration, runs.run, source_file.node, line.message_no

    having count(*) = 1

),

pairs as (

    select
        earlier.configuration,
        earlier.run,
        earlier.node,
        later.node as later_node,
        (epoch_us(later."at") - epoch_us(earlier."at")) / 1000000 as late_s,
        median((epoch_us(later."at") - epoch_us(earlier."at")) / 1000000) over two_nodes as usual_s,
        later.file_id,
        later.line_no

    from written as earlier

    inner join written as later
        on
            earlier.configuration = later.configuration
            and earlier.run = later.run
            and earlier.message_no = later.message_no
            and earlier.node <> later.node

    window two_nodes as (partition by earlier.configuration, earlier.run, earlier.node, later.node)

),

differences as (  -- most messages differ by the same

    select
        configuration,
        run,
        node,
        later_node,
        min(usual_s) as late_s,
        first(file_id order by file_id, line_no) as file_id,
        first(line_no order by file_id, line_no) as line_no

    from pairs

    where usual_s > 2

    group by configuration, run, node, later_node

    having count(*) filter (where abs(late_s - usual_s) <= 2) >= greatest(3, 0.6 * count(*))

)

select
    configuration,
    case when count(*) = 1 then min(run) end as run,
    format(
        'In {} of `{}`, {} writes of the same events {:.0f} s later than {}: their clocks differ, and times that compare them are wrong by as much, also those from a '
        '`fault_at` by another clock than that of the node that took over. Say in study.toml by how much a clock is wrong (`clock_offset_s` of `[node."{}"]`).',
        case when count(*) = 1 then run_text(min(run)) else count(*) || ' runs' end,
        configuration,
        later_node,
        median(late_s),
        node,
        later_node
    ) as text,
    first(file_id order by run) as file_id,
    first(line_no order by run) as line_no

from differences

group by configuration, node, later_node
