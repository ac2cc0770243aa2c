-- One row per configuration, kind of fault and milestone, over used runs that show it. Seconds after the fault. Sample
-- statistics. One run has no spread, fewer than three have no interval. The interval holds spread and errors of
-- measurement: t times the standard error, and the whole error that all runs share. Where the spread is below what
-- stamps and fault times can show, their uncertainty stands in for it; where all runs give the same value, errors of
-- stamps are no spread but a common one: half a stamp.
-- from: kind_milestone by configuration, fault_kind, milestone; of elapsed_s
-- columns:
--   fault_kind: kind of fault of the runs; `not known` where no line and no study.toml says it
--   runs: runs that show it
--   mean_s: mean, seconds
--   stddev_s: sample standard deviation, seconds; null for one run
--   ci95_low_s: lower end of the 95 % interval of the mean, seconds; null below three runs; never below zero
--   ci95_high_s: upper end
--   uncertainty_s: standard uncertainty of one run's value by stamp and fault time, seconds (root mean square over
--     runs)
--   min_s: least, seconds
--   median_s: median, seconds
--   max_s: greatest, seconds
with

spread as (

    select
        milestone.configuration,
        milestone.fault_kind,
        milestone.milestone,
        count(*) as runs,
        favg(milestone.elapsed_s order by milestone.elapsed_s) as mean_s,
        sqrt(favg(milestone.uncertainty_s ^ 2 order by milestone.uncertainty_s ^ 2)) as uncertainty_s,
        favg(milestone.common_error_s order by milestone.common_error_s) as cause_error_s,
        shared_cause(milestone.common_cause) as cause,
        case when count(*) > 1 then stddev_samp(milestone.elapsed_s order by milestone.elapsed_s) end as stddev_s,
        min(milestone.elapsed_s) as min_s,
        median(milestone.elapsed_s) as median_s,
        max(milestone.elapsed_s) as max_s,
        max(milestone.resolution_s) as resolution_s,
        count(*) > 1 and min(milestone.elapsed_s) = max(milestone.elapsed_s) as is_constant

    from kind_milestone as milestone

    group by milestone.configuration, milestone.fault_kind, milestone.milestone

),

intervals as (  -- equal values in all runs: the fault may lie at the same place between two ticks of the stamps each time

    select
        spread.*,
        case when is_constant then sqrt(cause_error_s ^ 2 + (resolution_s / 2) ^ 2) else cause_error_s end as common_error_s,
        case when not is_constant then cause end as common_cause,
        half_width(quantile.t, stddev_s, case when not is_constant then uncertainty_s end, runs, common_error_s) as half_width_s

    from spread

    left join t_quantile as quantile
        on least(spread.runs - 1, 200) = quantile.df and quantile.level = 0.95 and spread.runs >= 3

)

select
    intervals.configuration,
    intervals.fault_kind,
    intervals.milestone,
    intervals.runs,
    intervals.mean_s,
    intervals.stddev_s,
    100 * intervals.stddev_s / nullif(intervals.mean_s, 0) as cv_pct,
    case when intervals.half_width_s is not null then greatest(intervals.mean_s - intervals.half_width_s, 0) end as ci95_low_s,
    intervals.mean_s + intervals.half_width_s as ci95_high_s,
    intervals.uncertainty_s,
    intervals.common_error_s,
    intervals.common_cause,
    intervals.min_s,
    intervals.median_s,
    intervals.max_s,
    intervals.resolution_s

from intervals

left join configuration_order using (configuration)

left join milestone_order using (milestone)

order by configuration_order.position, intervals.fault_kind, milestone_order.position, intervals.milestone
