-- A milestone lies before the steps that it should follow.
-- severity: note
select
    ends.configuration,
    ends.run,
    format(
        'In `{}`, {} shows `{}` before the steps that it should follow; the phase `{}` is left out.',
        ends.configuration,
        run_text(ends.run),
        ends.milestone,
        phase_rule.phase
    ) as text,
    ends.file_id,
    ends.line_no

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
