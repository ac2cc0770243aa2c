-- One row per configuration, setting and run of the HADR simulator: how long it took to ship a flush, microseconds.
-- Quantiles are ranges.
select
    runs.configuration,
    runs.setting,
    runs.run,
    distributions.n,
    distributions.min,
    distributions.sum / nullif(distributions.n, 0) as mean,
    max(quantiles.lo) filter (where quantiles.quantile = 0.5) as p50_low,
    max(quantiles.hi) filter (where quantiles.quantile = 0.5) as p50_high,
    max(quantiles.lo) filter (where quantiles.quantile = 0.99) as p99_low,
    max(quantiles.hi) filter (where quantiles.quantile = 0.99) as p99_high,
    distributions.max

from main.simhadr_distribution as distributions

inner join main.simhadr_run as runs using (run_id)

left join main.simhadr_quantile as quantiles
    on distributions.file_id = quantiles.file_id and distributions.distribution_no = quantiles.distribution_no

left join main.configuration_order as configurations
    on runs.configuration = configurations.configuration

where distributions.metric = 'log shipping time' and distributions.unit = 'microsecond'

group by
    configurations.position,
    runs.configuration,
    runs.setting,
    runs.run,
    runs.flush_pages,
    runs.syncmode,
    distributions.file_id,
    distributions.line_no,
    distributions.n,
    distributions.sum,
    distributions.min,
    distributions.max

order by
    configurations.position,
    runs.configuration,
    array_position(['SYNC', 'NEARSYNC', 'ASYNC', 'SUPERASYNC', 'RCU'], runs.syncmode),
    runs.flush_pages,
    main.natural_order(runs.setting),
    main.natural_order(runs.run),
    distributions.file_id,
    distributions.line_no
