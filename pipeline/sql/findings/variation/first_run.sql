-- The first run of a configuration differs from the others. See `noise_test`.
-- severity: warning
select
    configuration,
    format(
        'In {} the first run is an outlier: {:.0f} % {} than the others{} ({}).',
        places,
        abs(first_pct),
        case when first_pct > 0 then 'higher' else 'lower' end,
        average_text,
        chance_text(p_value)
    ) as text,
    lines

from order_effect

where test = 'first_run'
