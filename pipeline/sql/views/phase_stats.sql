-- One row per configuration and phase, over used runs that show both ends. Seconds after the fault.
-- Computed per run, then averaged; a bar goes from mean_start_s to mean_start_s + mean_duration_s.
-- columns:
--   configuration: folder group
--   phase: phase
--   runs: runs that show both ends
--   mean_start_s: mean begin, seconds
--   mean_end_s: mean end, seconds
--   mean_duration_s: mean duration, seconds
--   stddev_duration_s: sample standard deviation of the duration, seconds; null for one run
--   cv_pct: standard deviation in percent of the mean duration
--   ci95_low_s: lower end of the 95 % t interval of the mean duration, seconds; null below three runs
--   ci95_high_s: upper end
with

spread as (

    select
        phase.configuration,
        phase.phase,
        count(*) as runs,
        favg(phase.start_s) as mean_start_s,
        favg(phase.end_s) as mean_end_s,
        favg(phase.duration_s) as mean_duration_s,
        case when count(*) > 1 then stddev_samp(phase.duration_s) end as stddev_duration_s

    from counted_phase as phase

    group by phase.configuration, phase.phase

)

select
    spread.configuration,
    spread.phase,
    spread.runs,
    spread.mean_start_s,
    spread.mean_end_s,
    spread.mean_duration_s,
    spread.stddev_duration_s,
    100 * spread.stddev_duration_s / nullif(spread.mean_duration_s, 0) as cv_pct,
    spread.mean_duration_s - quantile.t * spread.stddev_duration_s / sqrt(spread.runs) as ci95_low_s,
    spread.mean_duration_s + quantile.t * spread.stddev_duration_s / sqrt(spread.runs) as ci95_high_s

from spread

left join t_quantile as quantile
    on least(spread.runs - 1, 200) = quantile.df and quantile.level = 0.95 and spread.runs >= 3

left join configuration_order
    on spread.configuration = configuration_order.configuration

left join (select phase, min(position) as position from study.phase_rule group by phase) as phase_rule
    on spread.phase = phase_rule.phase

order by configuration_order.position, phase_rule.position
