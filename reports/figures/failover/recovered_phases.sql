-- One row per configuration, kind of fault and phase, over the runs that recovered, where others did not. Seconds
-- after the fault.
select
    phases.configuration,
    phases.fault_kind,
    phases.phase,
    count(*) as runs,
    favg(phases.start_s order by phases.start_s) as mean_start_s,
    favg(phases.duration_s order by phases.duration_s) as mean_duration_s,
    min(phases.begin_milestone) filter (where phases.begin = 'assumed') as assumed_since

from main.kind_phase as phases

inner join main.run_outcome as outcomes using (configuration, run)

inner join main.recovery using (configuration)

where outcomes.outcome = 'recovered' and recovery.recovered < recovery.runs

group by phases.configuration, phases.fault_kind, phases.phase

order by phases.configuration, phases.fault_kind, mean_start_s, phases.phase
