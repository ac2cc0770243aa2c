-- A milestone lies before the steps that it should follow.
-- severity: note
select
    ends.configuration,
    case when count(*) = 1 then any_value(ends.run) end as run,
    format(
        'In `{}`, {} `{}` before the steps that it should follow; the phase `{}` is left out.',
        ends.configuration,
        case when count(*) = 1 then run_text(any_value(ends.run)) || ' shows' else count(*) || ' runs show' end,
        ends.milestone,
        phase_rule.phase
    ) as text,
    list(
        decisive_line(ends.configuration, ends.run, ends.milestone, ends.file_id, ends.line_no)
        order by ends.run, ends.file_id, ends.line_no
    ) as lines

from milestone as ends

inner join study.phase_rule as phase_rule
    on ends.milestone = phase_rule.to_milestone

left join phase using (configuration, run, phase)

where
    phase.phase is null
    and exists (
        select 1

        from milestone as starts

        where
            starts.configuration = ends.configuration
            and starts.run = ends.run
            and list_contains(string_split(replace(phase_rule.from_terms, '|', ','), ','), starts.milestone)
    )

group by ends.configuration, ends.milestone, phase_rule.phase
