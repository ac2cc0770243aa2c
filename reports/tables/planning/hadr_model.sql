-- One row per configuration, sync mode, flush size and setting that was measured: seconds per flush by the model and
-- as measured.
select
    models.configuration,
    models.syncmode,
    models.flush_pages,
    models.setting,
    regexp_replace(models.setting, '^[A-Z]+(, [0-9]+ pages)?(, )?', '') as details,
    models.write_s,
    models.send_s,
    models.round_trip_s,
    models.sec_per_flush,
    models.measured_sec_per_flush,
    models.measured_runs,
    models.error_pct,
    models.is_fitted

from main.hadr_prediction as models

left join main.configuration_order as configurations using (configuration)

where models.measured_runs is not null

order by
    configurations.position,
    models.configuration,
    models.flush_pages,
    array_position(['SYNC', 'NEARSYNC', 'ASYNC', 'SUPERASYNC'], models.syncmode),
    main.natural_order(models.setting)
