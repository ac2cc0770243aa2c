-- One row per configuration and metric that lines of its used runs state: these lines.
-- from: run_sample by configuration, metric as item
-- columns:
--   metric: name of the measurement
--   lines: configuration, run, item, file_id, line_no of each
select
    configuration,
    item as metric,
    list(decisive_line(configuration, run, item, file_id, line_no) order by run, label, clients, file_id, line_no) as lines

from run_sample

where subject = 'measurement' and line_no is not null

group by configuration, item
