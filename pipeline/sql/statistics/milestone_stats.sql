-- One row per configuration and milestone, over used runs of one kind of fault (`counted_kind`) that show it. Seconds after the fault.
-- Sample statistics. One run has no spread, fewer than three have no interval. The interval holds spread and errors of measurement:
-- t times the standard error, and the whole error that all runs share. Where the spread is below what stamps and fault
-- times can show, their uncertainty stands in for it; where all runs give the same value, half a stamp is a common error too.
-- from: milestone by configuration, milestone; of elapsed_s
-- columns:
--   fault_kind: kind of fault of the runs, which are never of several; `not known` where no line and no study.toml says it
--   runs: runs that show it
--   mean_s: mean, seconds
--   stddev_s: sample standard deviation, seconds; null for one run
--   ci95_low_s: lower end of the 95 % interval of the mean, seconds; null below three runs; never below zero
--   ci95_high_s: upper end
--   uncertainty_s: standard uncertainty of one run's value by stamp and fault time, seconds (root mean square over runs)
--   min_s: least, seconds
--   median_s: median, seconds
--   max_s: greatest, seconds
select stats.* exclude (fault_kind), stats.fault_kind

from milestone_stats_by_kind as stats

inner join counted_kind using (configuration, fault_kind)

left join configuration_order using (configuration)

left join milestone_order using (milestone)

order by configuration_order.position, milestone_order.position, stats.milestone
