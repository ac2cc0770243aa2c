-- One row per sleep test of simhadr (-testSleep): how true the sleep is with which disks are simulated.
-- columns:
--   run_id: number of the simulator's run in the store
--   configuration: folder group
--   file: path of the output
--   requested_s: sleep asked for, seconds
--   actual_s: sleep it got, seconds
--   error_pct: actual above requested, percent
--   file_id: file
--   line_no: line
select
    run_id,
    configuration,
    file,
    sleep_requested_s as requested_s,
    sleep_actual_s as actual_s,
    100 * (sleep_actual_s - sleep_requested_s) / nullif(sleep_requested_s, 0) as error_pct,
    file_id,
    line_no

from simhadr_record

where role = 'test_sleep'

order by run_id
