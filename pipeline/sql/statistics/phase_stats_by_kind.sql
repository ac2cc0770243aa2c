-- One row per configuration, kind of fault and phase, over used runs that show both ends. Seconds after the fault.
-- Computed per run, then averaged; a bar goes from mean_start_s to mean_start_s + mean_duration_s. The interval holds
-- spread and errors of measurement, as that of `milestone_stats` does; the fault time is among them only where the
-- phase begins with the fault.
-- from: kind_phase by configuration, fault_kind, phase; of duration_s, start_s for mean_start_s, end_s for mean_end_s
-- columns:
--   fault_kind: kind of fault of the runs; `not known` where no line and no study.toml says it
--   runs: runs that show both ends
--   mean_start_s: mean begin, seconds
--   mean_end_s: mean end, seconds
--   mean_duration_s: mean duration, seconds
--   stddev_duration_s: sample standard deviation of the duration, seconds; null for one run
--   cv_pct: standard deviation in percent of the mean duration
--   ci95_low_s: lower end of the 95 % interval of the mean duration, seconds; null below three runs; never below zero
--   ci95_high_s: upper end
--   assumed_since: milestone that the phase begins with in runs in which no line says that it was begun: it may have
--     begun later; else null
--   uncertainty_s: standard uncertainty of one run's duration by its stamps, seconds (root mean square over runs)
with

spread as (

    select
        phase.configuration,
        phase.fault_kind,
        phase.phase,
        count(*) as runs,
        favg(phase.start_s order by phase.start_s) as mean_start_s,
        favg(phase.end_s order by phase.end_s) as mean_end_s,
        favg(phase.duration_s order by phase.duration_s) as mean_duration_s,
        case when count(*) > 1 then stddev_samp(phase.duration_s order by phase.duration_s) end as stddev_duration_s,
        sqrt(favg(phase.uncertainty_s ^ 2 order by phase.uncertainty_s ^ 2)) as uncertainty_s,
        favg(phase.common_error_s order by phase.common_error_s) as cause_error_s,
        shared_cause(phase.common_cause) as cause,
        max(phase.resolution_s) as resolution_s,
        min(phase.begin_milestone) filter (where phase.begin = 'assumed') as assumed_since,
        count(*) > 1 and min(phase.duration_s) = max(phase.duration_s) as is_constant

    from kind_phase as phase

    group by phase.configuration, phase.fault_kind, phase.phase

),

intervals as (  -- equal values in all runs: both ends may lie at the same place between two ticks of the stamps each time

    select
        spread.*,
        case when is_constant then sqrt(cause_error_s ^ 2 + (resolution_s / 2) ^ 2) else cause_error_s end as common_error_s,
        case when not is_constant then cause end as common_cause,
        half_width(quantile.t, stddev_duration_s, case when not is_constant then uncertainty_s end, runs, common_error_s) as half_width_s

    from spread

    left join t_quantile as quantile
        on least(spread.runs - 1, 200) = quantile.df and quantile.level = 0.95 and spread.runs >= 3

)

select
    intervals.configuration,
    intervals.fault_kind,
    intervals.phase,
    intervals.runs,
    intervals.mean_start_s,
    intervals.mean_end_s,
    intervals.mean_duration_s,
    intervals.stddev_duration_s,
    100 * intervals.stddev_duration_s / nullif(intervals.mean_duration_s, 0) as cv_pct,
    case when intervals.half_width_s is not null then greatest(intervals.mean_duration_s - intervals.half_width_s, 0) end
        as ci95_low_s,
    intervals.mean_duration_s + intervals.half_width_s as ci95_high_s,
    intervals.assumed_since,
    intervals.uncertainty_s,
    intervals.common_error_s,
    intervals.common_cause,
    intervals.resolution_s

from intervals

left join configuration_order using (configuration)

left join (select phase, min(position) as position from study.phase_rule group by phase) as phase_rule
    on intervals.phase = phase_rule.phase

order by configuration_order.position, intervals.fault_kind, phase_rule.position
