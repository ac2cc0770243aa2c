-- Configurations and their reference were measured under different loads, units or labels.
-- severity: note
with

unlike as (

    select
        here.configuration,
        there.configuration as reference,
        here.metric,
        list_concat(any_value(own.lines), any_value(others.lines)) as lines

    from measurement_stats as here

    inner join configuration_order
        on here.configuration = configuration_order.configuration and configuration_order.reference <> here.configuration

    inner join measurement_stats as there
        on configuration_order.reference = there.configuration and here.metric = there.metric

    left join measurement_lines as own
        on here.configuration = own.configuration and here.metric = own.metric

    left join measurement_lines as others
        on there.configuration = others.configuration and here.metric = others.metric

    where here.unit is distinct from 'count'

    group by here.configuration, there.configuration, here.metric

    having not bool_or(
        here.unit is not distinct from there.unit
        and here.label is not distinct from there.label
        and here.clients is not distinct from there.clients
    )

)

select
    case when count(*) = 1 then any_value(configuration) end as configuration,
    format(
        '`{}` of {} and of {} reference `{}` were measured under different loads, units or labels, so no ratio is given.',
        metric,
        case when count(*) = 1 then '`' || any_value(configuration) || '`' else count(*) || ' configurations' end,
        case when count(*) = 1 then 'its' else 'their' end,
        reference
    ) as text,
    flatten(list(lines order by configuration)) as lines

from unlike

group by metric, reference
