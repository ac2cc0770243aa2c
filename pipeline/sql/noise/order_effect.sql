-- One row per test of the order of runs in which `noise_test` notices something: where, and how great it is on average.
-- from: run_sample by configuration; of value
-- columns:
--   test: first_run, autocorrelation, drift
--   configuration: folder group; null where it concerns several
--   places: the configurations in a sentence
--   configurations: those that show it; null where the mean over all does
--   p_value: p_holm of the study where it is noticed over all configurations, else the greatest of the configurations
--     that show it
--   average_text: words that say that the values are means; empty where they are those of one configuration
--   neighbour_correlation: rank correlation of runs that follow each other
--   rho: Spearman's correlation of slowness and order
--   first_pct: the first run over the mean of the others, minus 1, percent
--   lines: the lines of the headline of the runs tested, of `first_run` those of the first runs: configuration, run,
--     item, file_id, line_no of each
with

order_tests as (

    select
        test,
        bool_or(scope = 'study' and is_noticed) as is_general,
        count(*) filter (where scope = 'configuration') as configurations,
        max(p_value) filter (where scope = 'study') as study_p,
        max(p_holm) filter (where scope = 'configuration' and is_noticed) as own_p,
        list(configuration order by p_value, configuration) filter (where scope = 'configuration' and is_noticed) as noticed,
        list(format('`{}`', configuration) order by p_value, configuration)
            filter (where scope = 'configuration' and is_noticed) as names

    from noise_test

    where test <> 'mode_split'

    group by test

    having bool_or(is_noticed)

),

sizes as (

    select
        order_tests.test,
        avg(order_test.neighbour_correlation order by order_test.neighbour_correlation) as neighbour_correlation,
        avg(order_test.rho * coalesce(order_test.slow_sign, 1) order by order_test.rho, order_test.slow_sign) as rho,
        avg(
            100 * (order_test.first_value / nullif(order_test.other_mean, 0) - 1)
            order by order_test.first_value, order_test.other_mean
        ) as first_pct

    from order_tests

    inner join order_test
        on order_tests.is_general or list_contains(order_tests.noticed, order_test.configuration)

    group by order_tests.test

)

select
    order_tests.test,
    case when not is_general and len(noticed) = 1 then noticed[1] end as configuration,
    case
        when is_general then format('{} configurations', configurations)
        else array_to_string(names[:6], ', ')
            || case when len(noticed) > 6 then format(' and {} more', len(noticed) - 6) else '' end
    end as places,
    case when not is_general then noticed end as configurations,
    case when is_general then study_p else own_p end as p_value,
    case when is_general or len(noticed) > 1 then ' on average' else '' end as average_text,
    sizes.neighbour_correlation,
    sizes.rho,
    sizes.first_pct,
    (
        select list(decisive_line(configuration, run, item, file_id, line_no) order by configuration, place, file_id, line_no, item)

        from run_sample

        where
            is_headline
            and line_no is not null
            and (order_tests.test <> 'first_run' or place = 1)
            and (order_tests.is_general or list_contains(order_tests.noticed, run_sample.configuration))
    ) as lines

from order_tests

left join sizes using (test)
