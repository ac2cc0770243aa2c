-- The first run of a configuration differs from the others. See `noise_test`.
-- severity: warning
with

tested_lines as (

    select configuration, run, place, item, file_id, line_no

    from run_sample

    where is_headline and line_no is not null and place = 1

)

select
    effects.configuration,
    format(
        'In {} the first run is {:.0f} % {} than the others{} ({}): run once before measuring.',
        places,
        abs(first_pct),
        case when first_pct > 0 then 'higher' else 'lower' end,
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

where test = 'first_run'
