-- One row per run with a fault: the line that shows the milestone, and what it gives, seconds after the fault.
-- A run without such a line has none: value and line are null.
with

moved as (  -- of a line whose time was moved: by how much and why

    select
        milestone.run,
        string_agg(
            case
                when correction.shift_s = 0 then 'printed so'
                else format('printed {:.6g} s {}', abs(correction.shift_s), if(correction.shift_s > 0, 'earlier', 'later'))
            end
            || case
                when correction.change_line_no is null then ' by the clock of another zone'
                else format(
                    ' before the clock was set ({}, line {} of {})',
                    correction.source,
                    correction.change_line_no,
                    source_file.path
                )
            end
            || case when correction.error_s > 0 then format(', to within {:.2g} s', correction.error_s) else '' end,
            '; '
            order by correction.change_at
        ) as note

    from milestone

    inner join clock_correction as correction
        on
            milestone.file_id = correction.file_id
            and milestone.line_no between correction.from_line and correction.to_line

    left join source_file
        on correction.change_file_id = source_file.file_id

    where milestone.configuration = $configuration and milestone.milestone = $milestone

    group by milestone.run

)

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
    concat_ws('; ', milestone.note, moved.note) as note,
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

left join moved
    on run.run = moved.run

where run.configuration = $configuration and run.fault_at is not null

order by run.run_no nulls last, run.run
