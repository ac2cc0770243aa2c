-- One row per run with a fault: the line that shows the milestone, and what it gives, seconds after the fault.
-- A run without such a line has none: value and line are null.
select
    run.configuration,
    run.run,
    run.used and (counted.milestone is not null or milestone.milestone is null) as is_used,
    case
        when not run.used then coalesce(run.excluded_reason, run.flags)
        when milestone.milestone is not null and counted.milestone is null then run_outcome.reason
    end as reason,
    milestone.elapsed_s as value,
    coalesce(milestone.milestone, $milestone) as role,
    case milestone.method
        when 'message' then 'by its message id'
        when 'text' then 'by its text'
        when 'inferred' then 'inferred from the order of lines'
    end
    || case
        when milestone.resolution_s >= 0.001
            then format('; cut to {:g} s, so that {:g} s are added', milestone.resolution_s, milestone.resolution_s / 2)
        else ''
    end as how,
    milestone.note,
    milestone."at",
    milestone.file_id,
    milestone.line_no

from run

left join milestone
    on
        run.configuration = milestone.configuration
        and run.run = milestone.run
        and milestone.milestone = $milestone

left join counted_milestone as counted
    on
        run.configuration = counted.configuration
        and run.run = counted.run
        and counted.milestone = $milestone

left join run_outcome
    on run.configuration = run_outcome.configuration and run.run = run_outcome.run

where run.configuration = $configuration and run.fault_at is not null

order by run.run_no nulls last, run.run
