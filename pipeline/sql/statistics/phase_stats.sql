-- One row per configuration and phase, over used runs of one kind of fault (`counted_kind`) that show both ends.
-- Seconds after the fault. Computed per run, then averaged; a bar goes from mean_start_s to mean_start_s +
-- mean_duration_s. The interval holds spread and errors of measurement, as that of `milestone_stats` does; the fault
-- time is among them only where the phase begins with the fault.
-- from: phase by configuration, phase; of duration_s, start_s for mean_start_s, end_s for mean_end_s
-- columns:
--   fault_kind: kind of fault of the runs, which are never of several; `not known` where no line and no study.toml
--     says it
--   runs: runs that show both ends
--   cv_pct: standard deviation in percent of the mean duration
select stats.* exclude (fault_kind), stats.fault_kind

from phase_stats_by_kind as stats

inner join counted_kind using (configuration, fault_kind)

left join configuration_order using (configuration)

left join (select phase, min(position) as position from study.phase_rule group by phase) as phase_rule
    using (phase)

order by configuration_order.position, phase_rule.position
