-- One row per configuration and thing measured: the statistics of milestones, phases (their duration), measurements
-- and disks in one shape.
-- materialised: its rows are compared with each other, and it is slow to plan
-- from: milestone_stats by configuration, item as milestone; of mean_s; when subject is milestone
-- from: phase_stats by configuration, item as phase; of mean_duration_s; when subject is phase
-- from: measurement_stats by configuration, item as metric, unit, label, clients; of mean; when subject is measurement
-- from: disk_load by configuration, item as metric, unit, label; of mean; when subject is disk
-- columns:
--   runs: runs that show it
--   stddev: sample standard deviation; null for one run
--   known_stddev: the same, but no less than the uncertainty of one run's value
--   uncertainty: standard uncertainty of one run's value
--   common_error: half width of the error that may be the same in all runs of the configuration
select
    'milestone' as subject,
    milestone as item,
    's' as unit,
    null::varchar as label,
    null::integer as clients,
    configuration,
    runs,
    mean_s as mean,
    stddev_s as stddev,
    greatest(stddev_s, case when runs > 1 then uncertainty_s end) as known_stddev,
    uncertainty_s as uncertainty,
    common_error_s as common_error,
    common_cause

from milestone_stats

union all by name

select
    'phase' as subject,
    phase as item,
    's' as unit,
    configuration,
    runs,
    mean_duration_s as mean,
    stddev_duration_s as stddev,
    greatest(stddev_duration_s, case when runs > 1 then uncertainty_s end) as known_stddev,
    uncertainty_s as uncertainty,
    common_error_s as common_error,
    common_cause

from phase_stats

union all by name

select
    'measurement' as subject,
    metric as item,
    unit, label, clients, configuration, runs,
    mean,
    stddev,
    greatest(stddev, case when runs > 1 then uncertainty end) as known_stddev,
    uncertainty,
    common_error

from measurement_stats

union all by name

select
    'disk' as subject,
    metric as item,
    unit, label, configuration, runs,
    mean,
    stddev,
    stddev as known_stddev,
    0::double as uncertainty,
    common_error

from disk_load
