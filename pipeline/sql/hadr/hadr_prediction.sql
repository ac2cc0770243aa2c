-- One row per configuration with a known send rate, disk, sync mode and flush size: what the model gives, beside what
-- was measured. SYNC: write + send + standby's write + round trip; NEARSYNC: the longer of write and send + round
-- trip; ASYNC and SUPERASYNC: the longer of write and send. SUPERASYNC never slows the primary; a database ships it in
-- blocks of 16 pages. Flush sizes are powers of two and those measured or stated (`flush_pages` in study.toml). A
-- point measured with several socket buffers has a row for each; throttled and verbose runs are no measurement. Remote
-- catchup (RCU) is beside SUPERASYNC. Where round trip or send rate were taken from the same runs, a small error shows
-- that the model fits, not that it foretells.
-- materialised: joined from many settings, and read by figures
-- from: hadr_network by configuration; except measured_runs, measured_sec_per_flush, measured_mb_s, measured_stddev_mb_s
-- from: hadr_disk by configuration, disk; except measured_runs, measured_sec_per_flush, measured_mb_s, measured_stddev_mb_s
-- from: simhadr_repeat by configuration, setting; of mean_sec_per_flush, mean_mb_s for measured_mb_s; except write_s, standby_write_s, send_s, round_trip_s, sec_per_flush, mb_s, commit_wait_s
-- columns:
--   disk_source: where the disk's figures are from
--   disk_mb_s: transfer rate of the disk, MB/s
--   write_s: time of the primary's write, seconds
--   standby_write_s: time of the standby's write, seconds
--   send_s: time to send, seconds
--   round_trip_s: round trip time, seconds; null if not known: then there is none for SYNC and NEARSYNC
--   sec_per_flush: predicted seconds per flush
--   mb_s: predicted throughput, MB/s of 10^6 bytes
--   commit_wait_s: predicted mean wait of a commit, 1.5 flushes, seconds: it comes amid a flush and rides the next
--   setting: setting that was measured
--   measured_runs: runs
--   measured_sec_per_flush: mean seconds per flush
--   measured_mb_s: mean throughput, MB/s
--   measured_stddev_mb_s: its sample standard deviation
--   error_pct: measured above predicted seconds per flush, percent
--   is_fitted: send rate or round trip was taken from runs of the configuration
--   window_limit_mb_s: most that the socket buffers asked for let through, buffer over round trip, MB/s
with

modes as (

    select unnest(['SYNC', 'NEARSYNC', 'ASYNC', 'SUPERASYNC']) as syncmode, unnest([1, 2, 3, 4]) as mode_position

),

measured as (

    select
        *,
        case syncmode when 'RCU' then 'SUPERASYNC' else syncmode end as predicted_mode

    from simhadr_repeat

    where target_mb_s is null and not is_verbose

),

sizes as (

    select network.configuration, unnest([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]) as flush_pages

    from hadr_network as network

    union

    select configuration, flush_pages from measured where flush_pages > 0

    union

    select configuration, number::bigint from configuration_factor where factor = 'flush_pages' and number >= 1

),

parts as (

    select
        network.configuration,
        network.send_source,
        network.round_trip_source,
        disk.*,
        modes.syncmode,
        modes.mode_position,
        sizes.flush_pages::bigint as flush_pages,
        hadr_write_s(sizes.flush_pages * 4096, disk.disk_mb_s, disk.disk_overhead_s) as write_s,
        hadr_write_s(sizes.flush_pages * 4096, disk.standby_disk_mb_s, disk.standby_disk_overhead_s) as standby_write_s,
        sizes.flush_pages * 4096 / (network.send_mb_s * 1e6) as send_s,
        network.round_trip_s

    from hadr_network as network

    inner join hadr_disk as disk using (configuration)

    inner join sizes using (configuration)

    cross join modes

    where network.send_mb_s > 0

),

predicted as (

    select *, hadr_flush_s(syncmode, write_s, standby_write_s, send_s, round_trip_s) as sec_per_flush from parts

)

select
    predicted.configuration,
    predicted.disk,
    predicted.disk_source,
    predicted.disk_mb_s,
    predicted.disk_overhead_s,
    predicted.syncmode,
    predicted.flush_pages,
    predicted.write_s,
    predicted.standby_write_s,
    predicted.send_s,
    predicted.round_trip_s,
    predicted.sec_per_flush,
    predicted.flush_pages * 4096 / nullif(predicted.sec_per_flush, 0) / 1e6 as mb_s,
    1.5 * predicted.sec_per_flush as commit_wait_s,
    measured.setting,
    measured.runs as measured_runs,
    measured.mean_sec_per_flush as measured_sec_per_flush,
    measured.mean_mb_s as measured_mb_s,
    measured.stddev_mb_s as measured_stddev_mb_s,
    100 * (measured.mean_sec_per_flush / nullif(predicted.sec_per_flush, 0) - 1) as error_pct,
    predicted.send_source in ('asynchronous run', 'shipping times')
    or coalesce(predicted.round_trip_source in ('shipping times', 'shipping time less send time'), false) as is_fitted,
    least(measured.sndbuf_bytes, measured.rcvbuf_bytes) / nullif(predicted.round_trip_s * 1e6, 0) as window_limit_mb_s

from predicted

left join measured
    on
        predicted.disk in ('simulated', 'infinitely fast')
        and predicted.configuration = measured.configuration
        and predicted.syncmode = measured.predicted_mode
        and predicted.flush_pages = measured.flush_pages
        and predicted.disk_mb_s is not distinct from measured.disk_mb_s
        and predicted.disk_overhead_s is not distinct from measured.disk_overhead_s
        and predicted.standby_disk_mb_s is not distinct from measured.standby_disk_mb_s
        and predicted.standby_disk_overhead_s is not distinct from measured.standby_disk_overhead_s

order by predicted.configuration, predicted.disk, predicted.disk_mb_s, predicted.disk_overhead_s,
    predicted.standby_disk_mb_s, predicted.mode_position, predicted.flush_pages, measured.setting
