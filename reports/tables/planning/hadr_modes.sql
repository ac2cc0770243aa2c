-- One row per configuration and setting of the HADR simulator: throughput by sync mode and flush size. Details: disks,
-- buffers and options.
select
    modes.configuration,
    modes.syncmode,
    modes.flush_pages,
    regexp_replace(modes.setting, '^[^,]*(, [0-9]+ pages)?(, )?', '') as details,
    modes.runs,
    modes.mb_s,
    modes.stddev_mb_s,
    modes.sec_per_flush,
    modes.congestion_pct,
    modes.reference_mode,
    modes.ratio

from main.hadr_mode_comparison as modes

left join main.configuration_order as configurations using (configuration)

order by
    configurations.position,
    modes.configuration,
    modes.flush_pages,
    array_position(['SYNC', 'NEARSYNC', 'ASYNC', 'SUPERASYNC', 'RCU'], modes.syncmode),
    main.natural_order(modes.setting)
