-- One row per configuration and phase, over the used runs that show both ends. Seconds after the fault.
select
    phases.configuration,
    phases.phase,
    phases.runs,
    phases.mean_start_s,
    phases.mean_end_s,
    phases.mean_duration_s,
    phases.stddev_duration_s,
    phases.cv_pct,
    phases.ci95_low_s,
    phases.ci95_high_s,
    phases.resolution_s,
    phases.assumed_since

from main.phase_stats as phases

inner join main.configuration_order as configurations using (configuration)

order by configurations.position, phases.configuration, phases.mean_start_s, phases.phase
