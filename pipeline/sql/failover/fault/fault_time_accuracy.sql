-- One row per configuration with true fault times, and one (configuration null) over all: how far the inferred fault
-- times lie from them. Over all used runs with a true and an inferred time. The error is inferred minus true, in
-- seconds.
-- from: fault_time_error by configuration; of error_s, width_s for mean_width_s; where used and error_s is not null
-- columns:
--   configuration: folder group; null: all of them
--   inside: runs whose interval holds the true time
--   mean_s: mean error: how early (negative) or late the inferred times are as a whole
--   stddev_s: sample standard deviation of the error; null for one run
--   ci95_low_s: lower end of the 95 % t interval of the mean; null below three runs
--   ci95_high_s: upper end
--   min_s: earliest
--   median_s: median
--   max_s: latest
--   mean_absolute_s: mean of the errors without their sign
--   mean_width_s: mean width of the intervals
with

spread as (

    select
        configuration,
        count(*) as runs,
        count(*) filter (where is_inside) as inside,
        favg(error_s order by error_s) as mean_s,
        case when count(*) > 1 then stddev_samp(error_s order by error_s) end as stddev_s,
        min(error_s) as min_s,
        median(error_s) as median_s,
        max(error_s) as max_s,
        favg(abs(error_s) order by abs(error_s)) as mean_absolute_s,
        favg(width_s order by width_s) as mean_width_s

    from fault_time_error

    where used and error_s is not null

    group by grouping sets ((configuration), ())

    having count(*) > 0

)

select
    spread.configuration,
    spread.runs,
    spread.inside,
    spread.mean_s,
    spread.stddev_s,
    spread.mean_s - quantile.t * nullif(spread.stddev_s, 0) / sqrt(spread.runs) as ci95_low_s,
    spread.mean_s + quantile.t * nullif(spread.stddev_s, 0) / sqrt(spread.runs) as ci95_high_s,
    spread.min_s,
    spread.median_s,
    spread.max_s,
    spread.mean_absolute_s,
    spread.mean_width_s

from spread

left join t_quantile as quantile
    on least(spread.runs - 1, 200) = quantile.df and quantile.level = 0.95 and spread.runs >= 3

left join configuration_order using (configuration)

order by spread.configuration is null, configuration_order.position, spread.configuration
