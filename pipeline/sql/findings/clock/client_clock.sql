-- The clock of a client is not that of the node that took over.
-- severity: warning or note
select
    configuration,
    case when count(*) = 1 then min(run) end as run,
    case when is_proved
        then format(
            'In {} of `{}` the clock of {} is about {:.1f} s {} that of the node that took over: its first success is counted by the clock of that node.',
            case when count(*) = 1 then run_text(min(run)) else count(*) || ' runs' end,
            configuration,
            coalesce(node, 'the client'),
            abs(median(ahead_s)),
            case when median(ahead_s) < 0 then 'ahead of' else 'behind' end
        )
        else format(
            'In {} of `{}` the outage that {} saw begins up to {:.1f} s away from the fault that the logs of the servers show, and nothing compares their clocks: its first success is not counted. '
            || 'Say in study.toml by how much its clock is wrong (`clock_offset_s` of `[node."{}"]`; 0 where it is right).',
            case when count(*) = 1 then run_text(min(run)) else count(*) || ' runs' end,
            configuration,
            coalesce(node, 'the client'),
            max(abs(ahead_s)),
            coalesce(node, 'client')
        )
    end as text,
    case when is_proved then 'note' else 'warning' end as severity,
    first(file_id order by run, file_id) as file_id,
    first(line_no order by run, file_id) as line_no

from client_clock

group by configuration, node, is_proved
