-- One row per point of a run's time series of a metric.
-- materialised: filled from the interval reports of the benchmark formats; empty where no such format is read
-- columns:
--   configuration: folder group
--   run: run
--   metric: metric
--   unit: unit of the value
--   at: time, UTC; null where the series has no clock
--   offset_s: seconds since the series began
--   value: value
--   file_id: file
--   line_no: line
select
    null::varchar as configuration,
    null::varchar as run,
    null::varchar as metric,
    null::varchar as unit,
    null::timestamp as "at",
    null::double as offset_s,
    null::double as value,
    null::integer as file_id,
    null::integer as line_no

where false
