-- One row per note of the study that falls into a run: seconds after that run's fault.
select
    runs.configuration,
    runs.run,
    date_diff('microsecond', runs.fault_at, notes."at") / 1e6 as elapsed_s,
    notes.text

from study.event as notes

inner join main.run as runs
    on notes.configuration = runs.configuration
    and (notes.run is null or notes.run = runs.run)

where runs.fault_at is not null
    and notes."at" between runs.fault_at and runs.end_at

order by runs.configuration, runs.run, elapsed_s, notes.text
