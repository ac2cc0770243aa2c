-- One row per configuration and setting that was measured: throughput, seconds per flush, congestion, and the ratio to
-- ASYNC. The ratio is to ASYNC (else SUPERASYNC, else RCU) of the same configuration, flush size, disks, throttling
-- and buffers.
-- from: simhadr_repeat by configuration, setting; of mean_mb_s, mean_sec_per_flush for sec_per_flush, mean_congestion_pct for congestion_pct; except reference_mode, reference_mb_s, ratio, loss_pct
-- from: simhadr_repeat by configuration, flush_pages; of mean_mb_s; except runs, mb_s, stddev_mb_s, sec_per_flush, congestion_pct
-- columns:
--   mb_s: mean throughput, MB/s
--   sec_per_flush: mean seconds per flush
--   congestion_pct: mean share of the run in congestion, percent
--   reference_mode: mode that the ratio is taken to; null if none was measured
--   reference_mb_s: its throughput, MB/s
--   ratio: throughput over that
--   loss_pct: percent less than the reference
with

pairs as (

    select
        here.*,
        there.syncmode as reference_mode,
        there.mean_mb_s as reference_mb_s,
        row_number() over (
            partition by here.configuration, here.setting
            order by
                case there.syncmode when 'ASYNC' then 1 when 'SUPERASYNC' then 2 else 3 end,
                there.setting
        ) as rank

    from simhadr_repeat as here

    left join simhadr_repeat as there
        on
            here.configuration = there.configuration
            and there.syncmode in ('ASYNC', 'SUPERASYNC', 'RCU')
            and here.flush_pages = there.flush_pages
            and here.disk_mb_s is not distinct from there.disk_mb_s
            and here.disk_overhead_s is not distinct from there.disk_overhead_s
            and here.standby_disk_mb_s is not distinct from there.standby_disk_mb_s
            and here.standby_disk_overhead_s is not distinct from there.standby_disk_overhead_s
            and here.target_mb_s is not distinct from there.target_mb_s
            and here.sndbuf_bytes is not distinct from there.sndbuf_bytes
            and here.rcvbuf_bytes is not distinct from there.rcvbuf_bytes
            and here.is_verbose = there.is_verbose

)

select
    pairs.configuration,
    pairs.syncmode,
    pairs.flush_pages,
    pairs.setting,
    pairs.runs,
    pairs.mean_mb_s as mb_s,
    pairs.stddev_mb_s,
    pairs.mean_sec_per_flush as sec_per_flush,
    pairs.mean_congestion_pct as congestion_pct,
    pairs.reference_mode,
    pairs.reference_mb_s,
    pairs.mean_mb_s / nullif(pairs.reference_mb_s, 0) as ratio,
    100 * (1 - pairs.mean_mb_s / nullif(pairs.reference_mb_s, 0)) as loss_pct

from pairs

left join configuration_order using (configuration)

where pairs.rank = 1

order by
    configuration_order.position,
    pairs.configuration,
    pairs.flush_pages,
    case pairs.syncmode when 'SYNC' then 1 when 'NEARSYNC' then 2 when 'ASYNC' then 3 when 'SUPERASYNC' then 4 else 5 end,
    natural_order(pairs.setting)
