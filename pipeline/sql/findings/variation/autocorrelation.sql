-- Consecutive runs are correlated. See `noise_test`.
-- severity: warning
with

tested_lines as (

    select configuration, run, place, item, file_id, line_no

    from run_sample

    where is_headline and line_no is not null

)

select
    effects.configuration,
    format(
        'In {} consecutive runs are correlated (rank correlation {:.2f}{}, {}): they hold less information than as many independent '
        || 'runs, and the intervals are too narrow. Leave more time between runs, or randomise their order.',
        places,
        neighbour_correlation,
        average_text,
        chance_text(p_value)
    ) as text,
    (
        select list(
            {'configuration': configuration, 'run': run, 'item': item, 'file_id': file_id, 'line_no': line_no}
            order by configuration, place, file_id, line_no, item
        )

        from tested_lines

        where effects.configurations is null or list_contains(effects.configurations, tested_lines.configuration)
    ) as lines

from order_effect as effects

where test = 'autocorrelation'
