-- One row per configuration and milestone, over used runs of one kind of fault (`counted_kind`) that show it. Seconds
-- after the fault. Sample statistics. One run has no spread, fewer than three have no interval. The interval holds
-- spread and errors of measurement: t times the standard error, and the whole error that all runs share. Where the
-- spread is below what stamps and fault times can show, their uncertainty stands in for it; where all runs give the
-- same value, half a stamp is a common error too.
-- from: milestone by configuration, milestone; of elapsed_s
-- columns:
--   fault_kind: kind of fault of the runs, which are never of several; `not known` where no line and no study.toml
--     says it
--   runs: runs that show it
select stats.* exclude (fault_kind), stats.fault_kind

from milestone_stats_by_kind as stats

inner join counted_kind using (configuration, fault_kind)

left join configuration_order using (configuration)

left join milestone_order using (milestone)

order by configuration_order.position, milestone_order.position, stats.milestone
