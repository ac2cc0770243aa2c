-- One row per run whose true fault time study.toml states: the time that the logs tell, against it.
-- The inferred time is that of the best source apart from study.toml (`fault_estimate`), whatever the run counts from; the true one has no part in it.
-- columns:
--   configuration: folder group
--   run: run
--   source: what the inferred time rests on, as in `fault_estimate`; null where the logs tell none
--   true_fault_at: true time, UTC
--   inferred_at: inferred time, the middle of its interval, UTC
--   error_s: inferred minus true, seconds
--   low_error_s: earliest time that the interval allows minus the true one, seconds
--   high_error_s: latest time minus the true one, seconds
--   width_s: width of the interval, seconds
--   is_inside: the interval holds the true time, to the microsecond
--   used: the run counts in statistics
--   file_id: file of the first line that the inferred time rests on
--   line_no: its line
with

inferred as (

    select *

    from fault_estimate

    where source <> 'manifest'

    qualify row_number() over (partition by configuration, run order by rank) = 1

)

select
    run.configuration,
    run.run,
    inferred.source,
    run.true_fault_at,
    inferred.middle_at as inferred_at,
    (epoch_us(inferred.middle_at) - epoch_us(run.true_fault_at)) / 1000000 as error_s,
    (epoch_us(inferred.low_at) - epoch_us(run.true_fault_at)) / 1000000 as low_error_s,
    (epoch_us(inferred.high_at) - epoch_us(run.true_fault_at)) / 1000000 as high_error_s,
    inferred.width_s,
    run.true_fault_at between inferred.low_at and inferred.high_at as is_inside,
    run.used,
    inferred.file_id,
    inferred.line_no

from run

left join inferred
    on run.configuration = inferred.configuration and run.run = inferred.run

left join configuration_order
    on run.configuration = configuration_order.configuration

where run.true_fault_at is not null

order by configuration_order.position, run.configuration, run.run_no, run.run
