-- One row per run and instant at which its rates may change: its fault, or an event of study.toml.
-- columns:
--   event: fault or event
--   text: text of the event of study.toml
--   event_at: when it was, UTC
--   event_low_at: the earliest that it may have been, UTC
select
    configuration,
    run,
    'fault' as event,
    null::varchar as text,
    fault_at as event_at,
    coalesce(fault_at_low, fault_at) as event_low_at

from run

where fault_at is not null

union all

select
    run.configuration,
    run.run,
    'event',
    noted.text,
    noted."at",
    noted."at"

from study.event as noted

inner join run
    on
        (noted.configuration is null or noted.configuration = run.configuration)
        and (noted.run is null or same_run(noted.run, run.run))
