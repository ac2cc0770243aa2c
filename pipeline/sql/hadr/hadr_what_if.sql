-- One row per configuration, disk, sync mode, flush size and change: what the model gives if the disk were twice as
-- fast, or the standby 1, 10 or 100 ms away. Flush sizes are those measured or stated (`flush_pages` in study.toml),
-- else 16 pages.
-- from: hadr_prediction by configuration, disk, syncmode, flush_pages; of sec_per_flush
-- columns:
--   disk_mb_s: transfer rate of the disk as it is, MB/s
--   disk_overhead_s: its overhead per write as it is, seconds
--   change: as it is, disk twice as fast, round trip 1 ms, round trip 10 ms, round trip 100 ms
--   mb_s: predicted throughput, MB/s
--   ratio: throughput over that of things as they are
with

chosen as (

    select configuration, flush_pages from simhadr_repeat where flush_pages > 0
    union
    select configuration, number::bigint from configuration_factor where factor = 'flush_pages' and number >= 1

),

as_it_is as (

    select distinct
        prediction.configuration,
        prediction.disk,
        prediction.disk_mb_s,
        prediction.disk_overhead_s,
        prediction.syncmode,
        prediction.flush_pages,
        prediction.write_s,
        prediction.standby_write_s,
        prediction.send_s,
        prediction.round_trip_s,
        prediction.sec_per_flush

    from hadr_prediction as prediction

    left join chosen using (configuration, flush_pages)

    where
        chosen.flush_pages is not null
        or (
            prediction.flush_pages = 16
            and prediction.configuration not in (select chosen.configuration from chosen)
        )

),

changes as (

    select
        unnest(['as it is', 'disk twice as fast', 'round trip 1 ms', 'round trip 10 ms', 'round trip 100 ms']) as change,
        unnest([1, 2, 3, 4, 5]) as change_position,
        unnest([1, 0.5, 1, 1, 1])::double as write_factor,
        unnest([null, null, 0.001, 0.01, 0.1])::double as round_trip_s

),

changed as (

    select
        as_it_is.*,
        changes.change,
        changes.change_position,
        hadr_flush_s(
            as_it_is.syncmode,
            as_it_is.write_s * changes.write_factor,
            as_it_is.standby_write_s * changes.write_factor,
            as_it_is.send_s,
            coalesce(changes.round_trip_s, as_it_is.round_trip_s)
        ) as changed_s

    from as_it_is

    cross join changes

)

select
    configuration,
    disk,
    disk_mb_s,
    disk_overhead_s,
    syncmode,
    flush_pages,
    change,
    changed_s as sec_per_flush,
    flush_pages * 4096 / nullif(changed_s, 0) / 1e6 as mb_s,
    sec_per_flush / nullif(changed_s, 0) as ratio

from changed

order by
    configuration, disk, disk_mb_s, disk_overhead_s, flush_pages,
    list_position(['SYNC', 'NEARSYNC', 'ASYNC', 'SUPERASYNC'], syncmode), change_position
