-- One row per run and way in which the time of its fault can be told, the one that was used first.
select
    fault_estimate.run,
    fault_estimate.source,
    fault_estimate.low_at,
    fault_estimate.middle_at,
    fault_estimate.high_at,
    fault_estimate.width_s,
    fault_estimate.line_count,
    fault_estimate.is_assumed,
    fault_estimate.is_consistent,
    fault_estimate.file_id,
    fault_estimate.line_no,
    fault_estimate.source is not distinct from run.fault_source as is_chosen

from fault_estimate

inner join run
    on fault_estimate.configuration = run.configuration and fault_estimate.run = run.run

where fault_estimate.configuration = $configuration and list_contains($runs, fault_estimate.run)

order by fault_estimate.run, is_chosen desc, fault_estimate.rank
