-- Runs grow faster or slower in the order in which they were made. See `noise_test`.
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
        'In {} runs get {} in the order in which they were made (Spearman {:.2f}{}, {}).',
        places,
        case when rho > 0 then 'slower' else 'faster' end,
        rho,
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

where test = 'drift'
