-- One row per configuration and milestone, over used runs that show it. Seconds after the fault.
-- Sample statistics. One run has no spread, fewer than three have no interval.
-- columns:
--   configuration: folder group
--   milestone: milestone
--   runs: runs that show it
--   mean_s: mean, seconds
--   stddev_s: sample standard deviation, seconds; null for one run
--   cv_pct: standard deviation in percent of the mean
--   ci95_low_s: lower end of the 95 % t interval of the mean, seconds; null below three runs
--   ci95_high_s: upper end
--   min_s: least, seconds
--   median_s: median, seconds
--   max_s: greatest, seconds
--   resolution_s: coarsest resolution of the stamps, seconds
with

spread as (

    select
        milestone.configuration,
        milestone.milestone,
        count(*) as runs,
        favg(milestone.elapsed_s) as mean_s,
        case when count(*) > 1 then stddev_samp(milestone.elapsed_s) end as stddev_s,
        min(milestone.elapsed_s) as min_s,
        median(milestone.elapsed_s) as median_s,
        max(milestone.elapsed_s) as max_s,
        max(milestone.resolution_s) as resolution_s

    from counted_milestone as milestone

    group by milestone.configuration, milestone.milestone

)

select
    spread.configuration,
    spread.milestone,
    spread.runs,
    spread.mean_s,
    spread.stddev_s,
    100 * spread.stddev_s / nullif(spread.mean_s, 0) as cv_pct,
    spread.mean_s - quantile.t * spread.stddev_s / sqrt(spread.runs) as ci95_low_s,
    spread.mean_s + quantile.t * spread.stddev_s / sqrt(spread.runs) as ci95_high_s,
    spread.min_s,
    spread.median_s,
    spread.max_s,
    spread.resolution_s

from spread

left join t_quantile as quantile
    on least(spread.runs - 1, 200) = quantile.df and quantile.level = 0.95 and spread.runs >= 3

left join configuration_order
    on spread.configuration = configuration_order.configuration

left join milestone_order
    on spread.milestone = milestone_order.milestone

order by configuration_order.position, milestone_order.position, spread.milestone
