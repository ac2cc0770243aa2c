-- One row per used run and phase that counts in statistics. Seconds after the fault.
select
    phases.configuration,
    phases.run,
    runs.run_no,
    phases.phase,
    phases.start_s,
    phases.end_s,
    phases.duration_s

from main.counted_phase as phases

inner join main.run as runs using (configuration, run)

order by phases.configuration, runs.run_no nulls last, phases.run, phases.phase
