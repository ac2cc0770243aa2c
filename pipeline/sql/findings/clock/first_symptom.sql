-- Nothing shows when a fault happened: times count from its first symptom.
-- severity: warning
select
    configuration,
    case when count(*) = 1 then min(run) end as run,
    format(
        'No line says that the lost node of {} of `{}` still lived, and no timer is known by which its loss was seen: times count from the first symptom, which '
        'comes after the fault. Keep a longer log, or write down when a fault is made (`logger haledger fault`, or `fault_at` of `[[run]]` in study.toml).',
        case when count(*) = 1 then run_text(min(run)) else count(*) || ' runs' end,
        configuration
    ) as text,
    first(file_id order by run) as file_id,
    first(line_no order by run) as line_no

from run

where fault_source = 'first symptom'

group by configuration
