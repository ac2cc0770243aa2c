-- One row per run-level number of a benchmark: throughput, elapsed seconds, events per hour, ...
-- materialised: filled from the summaries of the benchmark formats; empty where no such format is read
-- columns:
--   configuration: folder group
--   run: run
--   metric: tps, tpm, nopm, tpmC, events_per_hour, elapsed_s, MB/s, ...
--   unit: unit of the value
--   value: value
--   source: format of the file
--   file_id: file
--   line_no: line
select
    null::varchar as configuration,
    null::varchar as run,
    null::varchar as metric,
    null::varchar as unit,
    null::double as value,
    null::varchar as source,
    null::integer as file_id,
    null::integer as line_no

where false
