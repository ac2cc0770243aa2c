-- One row per run whose true fault time study.toml declares: the time inferred from the logs, against it. The inferred
-- time is what all evidence but study.toml leaves (`fault_time`), no matter what the run counts from; the true one has
-- no part in it.
-- columns:
--   source: what the inferred time rests on, the most trusted source of `fault_time`; null where nothing shows it
--   true_fault_at: true time, UTC
--   inferred_at: inferred time, the middle of its interval, UTC
--   error_s: inferred minus true, seconds
--   low_error_s: earliest time that the interval allows minus the true one, seconds
--   high_error_s: latest time minus the true one, seconds
--   is_inside: the interval holds the true time, to the microsecond
--   used: the run counts in statistics
--   file_id: file of the first line that the inferred time rests on
select
    run.configuration,
    run.run,
    fault_time.source,
    run.true_fault_at,
    fault_time.middle_at as inferred_at,
    (epoch_us(fault_time.middle_at) - epoch_us(run.true_fault_at)) / 1000000 as error_s,
    (epoch_us(fault_time.low_at) - epoch_us(run.true_fault_at)) / 1000000 as low_error_s,
    (epoch_us(fault_time.high_at) - epoch_us(run.true_fault_at)) / 1000000 as high_error_s,
    fault_time.width_s,
    run.true_fault_at between fault_time.low_at and fault_time.high_at as is_inside,
    run.used,
    fault_time.file_id,
    fault_time.line_no

from run

left join (from fault_time where low_at is not null) as fault_time using (configuration, run)

left join configuration_order using (configuration)

where run.true_fault_at is not null

order by configuration_order.position, run.configuration, run.run_no, run.run
