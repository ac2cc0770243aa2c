-- One row per configuration, sync mode and flush size of the model of HADR, with what was measured beside it.
select
    curves.configuration,
    curves.disk,
    curves.syncmode,
    curves.flush_pages,
    curves.mb_s,
    curves.measured_mb_s,
    curves.measured_runs

from main.hadr_prediction as curves

left join main.configuration_order as configurations using (configuration)

where curves.mb_s is not null

order by configurations.position, curves.configuration, curves.disk, curves.syncmode, curves.flush_pages
