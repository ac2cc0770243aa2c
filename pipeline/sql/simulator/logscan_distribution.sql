-- One row per distribution of db2logscan, also as hadrCalculator.pl echoes it.
-- columns:
--   metric: what was counted: log write rate, ...
--   unit: unit as printed
--   run_no: number of the scan in its file
--   line_no: line of the heading
select
    source_file.configuration,
    distribution.metric,
    distribution.unit,
    distribution.n,
    distribution.sum,
    distribution.min,
    distribution.max,
    distribution.avg,
    distribution.run_no,
    distribution.distribution_no,
    distribution.file_id,
    distribution.line_no

from log.hadr_distribution as distribution

inner join source_file
    on distribution.file_id = source_file.file_id

where source_file.format in ('hadr_db2logscan', 'hadr_calculator')

order by distribution.file_id, distribution.distribution_no
