-- A configuration and its reference were measured under different loads, units or labels.
-- severity: note
with

measured_lines as (

    select
        configuration,
        item as metric,
        list(
            {'configuration': run_sample.configuration, 'run': run_sample.run, 'item': run_sample.item, 'file_id': run_sample.file_id, 'line_no': run_sample.line_no}
            order by run, label, clients, file_id, line_no
        ) as lines

    from run_sample

    where subject = 'measurement' and line_no is not null

    group by configuration, item

)

select
    here.configuration,
    format(
        '`{}` of `{}` and of its reference `{}` were measured under different loads, units or labels, so no ratio is given.',
        here.metric,
        here.configuration,
        there.configuration
    ) as text,
    list_concat(any_value(own.lines), any_value(others.lines)) as lines

from measurement_stats as here

inner join configuration_order
    on here.configuration = configuration_order.configuration and configuration_order.reference <> here.configuration

inner join measurement_stats as there
    on configuration_order.reference = there.configuration and here.metric = there.metric

left join measured_lines as own
    on here.configuration = own.configuration and here.metric = own.metric

left join measured_lines as others
    on there.configuration = others.configuration and here.metric = others.metric

where here.unit is distinct from 'count'

group by here.configuration, there.configuration, here.metric

having not bool_or(
    here.unit is not distinct from there.unit
    and here.label is not distinct from there.label
    and here.clients is not distinct from there.clients
)
