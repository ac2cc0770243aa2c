-- One row per configuration with a reference and figure that both have, of one metric, unit, label and load, over used runs.
-- Counts are not compared: they grow with the length of the run. An improvement of a throughput is ratio - 1: 237 % more is a factor of 3.37.
-- columns:
--   configuration: folder group
--   reference: configuration it is compared with; itself in the reference's own row
--   metric: metric
--   unit: unit of the means
--   runs: runs
--   reference_runs: runs of the reference
--   mean: mean
--   reference_mean: mean of the reference
--   relative_ratio: mean over reference mean; exactly 1 in the reference's own row
--   ci95_low: lower end of the 95 % interval of the ratio; null below three runs and in the reference's own row
--   ci95_high: upper end
--   p_value: raw two-sided p of Welch's t test
--   p_holm: p adjusted within this table
--   verdict: in plain words, from the interval and p_holm
--   stderr: standard error of the ratio; null below two runs on either side and in the reference's own row
--   label: what was measured, where files measure several things
--   clients: clients at work
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

left join configuration_order
    on mean_comparison.configuration = configuration_order.configuration

where mean_comparison.subject = 'measurement'

order by
    natural_order(mean_comparison.item),
    mean_comparison.item,
    mean_comparison.unit,
    mean_comparison.label,
    mean_comparison.clients,
    configuration_order.position
