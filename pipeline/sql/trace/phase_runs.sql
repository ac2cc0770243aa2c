-- One row per run with a fault and milestone at which the phase begins or ends. Seconds after the fault.
-- A phase that begins with the fault has no milestone there. A run that does not show the phase has no line.
with

bounds as (

    select
        phase,
        list(distinct to_milestone) as ends,
        flatten(list(string_split_regex(from_terms, '[,|]'))) as begins

    from study.phase_rule

    where phase = $phase

    group by phase

),

shown as (

    select
        phase.configuration,
        phase.run,
        phase.start_s,
        phase.end_s,
        phase.duration_s,
        case
            when abs(milestone.elapsed_s - phase.end_s) < 1e-6 and list_contains(bounds.ends, milestone.milestone) then 'ends with '
            else 'begins with '
        end || milestone.milestone as role,
        milestone.elapsed_s,
        milestone.method,
        milestone.resolution_s,
        milestone.note,
        milestone."at",
        milestone.file_id,
        milestone.line_no

    from phase

    inner join bounds
        on phase.phase = bounds.phase

    inner join milestone
        on
            phase.configuration = milestone.configuration
            and phase.run = milestone.run
            and (
                (abs(milestone.elapsed_s - phase.end_s) < 1e-6 and list_contains(bounds.ends, milestone.milestone))
                or (abs(milestone.elapsed_s - phase.start_s) < 1e-6 and list_contains(bounds.begins, milestone.milestone))
            )

)

select
    run.configuration,
    run.run,
    run.used and (counted.phase is not null or shown.run is null) as is_used,
    case
        when not run.used then coalesce(run.excluded_reason, run.flags)
        when shown.run is not null and counted.phase is null then run_outcome.reason
    end as reason,
    shown.start_s,
    shown.end_s,
    shown.duration_s,
    coalesce(shown.role, $phase) as role,
    case shown.method
        when 'message' then 'by its message id'
        when 'text' then 'by its text'
        when 'inferred' then 'inferred from the order of lines'
    end
    || case
        when shown.resolution_s >= 0.001
            then format('; cut to {:g} s, so that {:g} s are added', shown.resolution_s, shown.resolution_s / 2)
        else ''
    end as how,
    shown.note,
    shown."at",
    shown.file_id,
    shown.line_no

from run

left join shown
    on run.configuration = shown.configuration and run.run = shown.run

left join counted_phase as counted
    on run.configuration = counted.configuration and run.run = counted.run and counted.phase = $phase

left join run_outcome
    on run.configuration = run_outcome.configuration and run.run = run_outcome.run

where run.configuration = $configuration and run.fault_at is not null

order by run.run_no nulls last, run.run, shown.elapsed_s, shown.role
