-- Consecutive runs are correlated. See `noise_test`.
-- severity: warning
select
    configuration,
    format(
        'In {} consecutive runs are correlated (rank correlation {:.2f}{}, {}): they hold less information than as many independent '
        || 'runs, and the intervals are too narrow. Leave more time between runs, or randomise their order.',
        places,
        neighbour_correlation,
        average_text,
        chance_text(p_value)
    ) as text,
    lines

from order_effect

where test = 'autocorrelation'
