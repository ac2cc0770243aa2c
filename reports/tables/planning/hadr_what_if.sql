-- One row per configuration, disk, flush size and sync mode: throughput by the model as things are, and if one of them
-- were another, MB/s.
select
    changes.configuration,
    changes.disk,
    changes.flush_pages,
    changes.syncmode,
    max(case when changes.change = 'as it is' then changes.mb_s end) as as_it_is,
    max(case when changes.change = 'disk twice as fast' then changes.mb_s end) as faster_disk,
    max(case when changes.change = 'round trip 1 ms' then changes.mb_s end) as round_trip_1,
    max(case when changes.change = 'round trip 10 ms' then changes.mb_s end) as round_trip_10,
    max(case when changes.change = 'round trip 100 ms' then changes.mb_s end) as round_trip_100

from main.hadr_what_if as changes

left join main.configuration_order as configurations using (configuration)

where changes.mb_s is not null

group by configurations.position, changes.configuration, changes.disk, changes.flush_pages, changes.syncmode

order by
    configurations.position,
    changes.configuration,
    changes.disk,
    changes.flush_pages,
    array_position(['SYNC', 'NEARSYNC', 'ASYNC', 'SUPERASYNC'], changes.syncmode)
