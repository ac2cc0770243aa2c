-- Two sources of evidence give fault times that contradict each other.
-- severity: warning
select
    configuration,
    case when count(*) = 1 then min(run) else null end as run,
    format(
        'Fault time of {} of `{}`: {} is {:.1f} s {} than {}{}.',
        case when count(*) = 1 then run_text(min(run)) else count(*) || ' runs' end,
        configuration,
        other_source,
        median(abs(difference_s)),
        case when difference_s < 0 then 'earlier' else 'later' end,
        source,
        case when bool_or(is_assumed) then ' (it rests on a timer that no file specifies)' else '' end
    ) as text,
    first(file_id order by run) as file_id,
    first(line_no order by run) as line_no

from fault_disagreement

group by configuration, source, other_source, difference_s < 0
