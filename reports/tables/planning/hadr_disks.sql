-- One row per disk that tests describe: overhead per call and transfer rate, by least squares and by the simple method
-- of IBM.
select
    fits.configuration,
    fits.op,
    fits.cached,
    fits.folder,
    fits.tests,
    fits.min_pages,
    fits.max_pages,
    fits.fit_mb_s,
    fits.fit_overhead_s,
    fits.simple_mb_s,
    fits.simple_overhead_s,
    fits.method,
    fits.remark

from main.hadr_disk_fit as fits

left join main.configuration_order as configurations using (configuration)

order by configurations.position, fits.configuration, fits.op desc, fits.folder, fits.cached
