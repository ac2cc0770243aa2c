-- One row per configuration with a reference and figure that both have, of one metric, unit, label and load, over used
-- runs. Counts are not compared: they grow with the length of the run. An improvement of a throughput is ratio - 1:
-- 237 % more is a factor of 3.37.
-- from: measurement_stats by configuration, metric, unit, label, clients; of mean; except reference_mean, reference_runs, reference
-- from: measurement_stats by reference as configuration, metric, unit, label, clients; of mean; except mean, runs, configuration
-- columns:
--   metric: metric
--   relative_ratio: mean over reference mean; exactly 1 in the reference's own row
--   ci95_low: lower end of the 95 % interval of the ratio; null below three runs and in the reference's own row
--   ci95_high: upper end
--   p_value: raw two-sided p of Welch's t test
--   p_holm: p adjusted within this table
--   stderr: standard error of the ratio; null below two runs on either side and in the reference's own row
select
    mean_comparison.configuration,
    mean_comparison.reference,
    mean_comparison.item as metric,
    mean_comparison.unit,
    mean_comparison.runs,
    mean_comparison.reference_runs,
    mean_comparison.mean,
    mean_comparison.reference_mean,
    mean_comparison.ratio as relative_ratio,
    mean_comparison.ratio_ci95_low as ci95_low,
    mean_comparison.ratio_ci95_high as ci95_high,
    mean_comparison.p_value,
    mean_comparison.p_holm,
    mean_comparison.verdict,
    mean_comparison.ratio_stderr as stderr,
    mean_comparison.label,
    mean_comparison.clients

from mean_comparison

left join configuration_order using (configuration)

where mean_comparison.subject = 'measurement' and not mean_comparison.is_proposed

order by
    natural_order(mean_comparison.item),
    mean_comparison.item, mean_comparison.unit, mean_comparison.label, mean_comparison.clients,
    configuration_order.position
