-- Runs grow faster or slower in the order in which they were made. See `noise_test`.
-- severity: warning
select
    configuration,
    format(
        'In {} runs get {} in the order in which they were made (Spearman {:.2f}{}, {}).',
        places,
        case when rho > 0 then 'slower' else 'faster' end,
        rho,
        average_text,
        chance_text(p_value)
    ) as text,
    lines

from order_effect

where test = 'drift'
