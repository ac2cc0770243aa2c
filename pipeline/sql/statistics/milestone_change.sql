-- One row per configuration with a reference and milestone that both show, over used runs.
-- Ratio of means with a log-delta interval; Welch's t test; Holm's correction over all rows. Reduction is 1 - ratio.
-- from: milestone_stats by configuration, milestone; of mean_s; except reference_mean_s, reference_runs, reference
-- from: milestone_stats by reference as configuration, milestone; of mean_s; except mean_s, runs, configuration
-- columns:
--   mean_s: mean, seconds
--   reference_mean_s: mean of the reference, seconds
--   difference_s: mean minus reference mean, seconds
--   ratio_ci95_low: lower end of the 95 % interval of the ratio; null below three runs and in the reference's own row
--   reduction_pct: 100 * (1 - ratio)
--   p_value: raw two-sided p of Welch's t test
--   p_holm: p adjusted within this table
select
    mean_comparison.configuration,
    mean_comparison.reference,
    mean_comparison.item as milestone,
    mean_comparison.mean as mean_s,
    mean_comparison.reference_mean as reference_mean_s,
    mean_comparison.difference as difference_s,
    mean_comparison.ratio,
    mean_comparison.ratio_ci95_low,
    mean_comparison.ratio_ci95_high,
    100 * (1 - mean_comparison.ratio) as reduction_pct,
    mean_comparison.p_value,
    mean_comparison.p_holm,
    mean_comparison.verdict,
    mean_comparison.runs,
    mean_comparison.reference_runs

from mean_comparison

left join configuration_order using (configuration)

left join milestone_order
    on mean_comparison.item = milestone_order.milestone

where mean_comparison.subject = 'milestone' and not mean_comparison.is_proposed

order by configuration_order.position, milestone_order.position, mean_comparison.item
