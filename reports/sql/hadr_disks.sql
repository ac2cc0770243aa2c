-- One row per disk that tests describe: overhead per call and transfer rate.
select
    fits.configuration,
    fits.op,
    fits.cached,
    fits.folder,
    fits.tests,
    fits.min_pages,
    fits.max_pages,
    fits.disk_mb_s,
    fits.disk_overhead_s,
    fits.method,
    fits.remark

from main.hadr_disk_fit as fits

left join main.configuration_order as configurations
    on fits.configuration = configurations.configuration

order by configurations.position, fits.configuration, fits.op, fits.folder, fits.cached
