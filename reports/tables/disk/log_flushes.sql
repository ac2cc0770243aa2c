-- One row per configuration and database: log pages a write to disk, over all intervals between snapshots of used runs.
select
    flushes.configuration,
    flushes.database,
    count(distinct (flushes.run, flushes.node)) as runs,
    count(*) as intervals,
    sum(flushes.pages_written) as pages_written,
    sum(flushes.write_count) as write_count,
    sum(flushes.pages_written) / sum(flushes.write_count) as flush_pages,
    sum(flushes.partial_write_count) / sum(flushes.write_count) as partial_share,
    min(flushes.flush_pages) as least_flush_pages,
    max(flushes.flush_pages) as greatest_flush_pages

from main.log_flush as flushes

left join main.run as runs using (configuration, run)

left join main.configuration_order as configurations using (configuration)

where flushes.entity_kind is null
    and coalesce(runs.used, true)

group by flushes.configuration, flushes.database, configurations.position

order by configurations.position, flushes.configuration, flushes.database
