-- One row per configuration, kind of fault and phase, over the used runs that show both ends. Seconds after the fault.
select
    phases.configuration,
    phases.fault_kind,
    phases.phase,
    phases.runs,
    phases.mean_start_s,
    phases.mean_end_s,
    phases.mean_duration_s,
    phases.assumed_since

from main.phase_stats_by_kind as phases

inner join main.configuration_order as configurations using (configuration)

order by configurations.position, phases.configuration, phases.fault_kind, phases.mean_start_s, phases.phase
