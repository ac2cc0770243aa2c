-- One row per configuration and setting of simhadr, over runs with a result. The run is the unit; sample statistics.
-- Of a pair the decisive side counts. Aborted and interrupted runs, and runs that study.toml leaves out, do not.
-- Several figures of one run are averaged first. One run has no spread, fewer than three have no interval.
-- from: simhadr_run by configuration, setting; of mb_s, sec_per_flush for mean_sec_per_flush; except mean_congestion_pct; where is_decisive and mb_s is not null and status = 'complete'
-- from: simhadr_run by configuration, setting; of congestion_s; only mean_congestion_pct; where status = 'complete'
-- columns:
--   setting: sync mode, flush size, simulated disks, throttling and socket buffers in words
--   standby_disk_mb_s: transfer rate of the standby's simulated disk, MB/s
--   sndbuf_bytes: send buffer asked for, bytes
--   rcvbuf_bytes: receive buffer asked for, bytes
--   is_loopback: some run was between ends on one host
--   is_verbose: -verbose
--   sides: whose figures these are: primary, standby, or both
--   mean_mb_s: mean throughput, MB/s
--   ci95_low_mb_s: lower end of the 95 % t interval of the mean; null below three runs
--   ci95_high_mb_s: upper end
--   min_mb_s: least
--   median_mb_s: median
--   max_mb_s: greatest
--   mean_sec_per_flush: mean seconds per flush
--   stddev_sec_per_flush: its sample standard deviation
--   mean_congestion_pct: mean share of the run in congestion, percent; a primary's
with

per_run as (

    select
        decisive.configuration,
        decisive.setting,
        decisive.run,
        any_value(decisive.syncmode) as syncmode,
        any_value(decisive.flush_pages) as flush_pages,
        any_value(decisive.disk_mb_s) as disk_mb_s,
        any_value(decisive.disk_overhead_s) as disk_overhead_s,
        any_value(decisive.standby_disk_mb_s) as standby_disk_mb_s,
        any_value(decisive.standby_disk_overhead_s) as standby_disk_overhead_s,
        any_value(decisive.target_mb_s) as target_mb_s,
        any_value(primary_side.asked_sndbuf_bytes) as sndbuf_bytes,
        any_value(primary_side.asked_rcvbuf_bytes) as rcvbuf_bytes,
        bool_or(decisive.is_loopback) as is_loopback,
        bool_or(decisive.is_verbose or coalesce(primary_side.is_verbose, false)) as is_verbose,
        min(decisive.role) as first_side,
        max(decisive.role) as last_side,
        favg(decisive.mb_s order by decisive.mb_s) as mb_s,
        favg(decisive.sec_per_flush order by decisive.sec_per_flush) as sec_per_flush,
        favg(
            100 * primary_side.congestion_s / nullif(primary_side.seconds, 0)
            order by primary_side.congestion_s, primary_side.seconds
        ) as congestion_pct

    from simhadr_run as decisive

    left join simhadr_run as primary_side
        on
            primary_side.run_id = case
                when decisive.role is not distinct from 'standby' then decisive.peer_run_id else decisive.run_id
            end

    left join run
        on decisive.configuration = run.configuration and decisive.run = run.run

    where
        decisive.is_decisive
        and decisive.mb_s is not null
        and decisive.status = 'complete'
        and coalesce(primary_side.status, 'complete') = 'complete'
        and not coalesce(list_has_any(string_split(run.flags, ', '), ['excluded', 'copy', 'extra_incident']), false)

    group by decisive.configuration, decisive.setting, decisive.run

),

spread as (

    select
        configuration,
        setting,
        any_value(syncmode) as syncmode,
        any_value(flush_pages) as flush_pages,
        any_value(disk_mb_s) as disk_mb_s,
        any_value(disk_overhead_s) as disk_overhead_s,
        any_value(standby_disk_mb_s) as standby_disk_mb_s,
        any_value(standby_disk_overhead_s) as standby_disk_overhead_s,
        any_value(target_mb_s) as target_mb_s,
        any_value(sndbuf_bytes) as sndbuf_bytes,
        any_value(rcvbuf_bytes) as rcvbuf_bytes,
        bool_or(is_loopback) as is_loopback,
        bool_or(is_verbose) as is_verbose,
        case when min(first_side) = max(last_side) then min(first_side) when min(first_side) is not null then 'both' end
            as sides,
        count(*) as runs,
        favg(mb_s order by mb_s) as mean_mb_s,
        case when count(*) > 1 then stddev_samp(mb_s order by mb_s) end as stddev_mb_s,
        min(mb_s) as min_mb_s,
        median(mb_s) as median_mb_s,
        max(mb_s) as max_mb_s,
        favg(sec_per_flush order by sec_per_flush) as mean_sec_per_flush,
        case when count(*) > 1 then stddev_samp(sec_per_flush order by sec_per_flush) end as stddev_sec_per_flush,
        favg(congestion_pct order by congestion_pct) as mean_congestion_pct

    from per_run

    group by configuration, setting

)

select
    spread.configuration,
    spread.setting,
    spread.syncmode,
    spread.flush_pages,
    spread.disk_mb_s,
    spread.disk_overhead_s,
    spread.standby_disk_mb_s,
    spread.standby_disk_overhead_s,
    spread.target_mb_s,
    spread.sndbuf_bytes,
    spread.rcvbuf_bytes,
    spread.is_loopback,
    spread.is_verbose,
    spread.sides,
    spread.runs,
    spread.mean_mb_s,
    spread.stddev_mb_s,
    100 * spread.stddev_mb_s / nullif(spread.mean_mb_s, 0) as cv_pct,
    spread.mean_mb_s - quantile.t * nullif(spread.stddev_mb_s, 0) / sqrt(spread.runs) as ci95_low_mb_s,
    spread.mean_mb_s + quantile.t * nullif(spread.stddev_mb_s, 0) / sqrt(spread.runs) as ci95_high_mb_s,
    spread.min_mb_s,
    spread.median_mb_s,
    spread.max_mb_s,
    spread.mean_sec_per_flush,
    spread.stddev_sec_per_flush,
    spread.mean_congestion_pct

from spread

left join t_quantile as quantile
    on least(spread.runs - 1, 200) = quantile.df and quantile.level = 0.95 and spread.runs >= 3

left join configuration_order using (configuration)

order by configuration_order.position, spread.configuration, natural_order(spread.setting), spread.setting
