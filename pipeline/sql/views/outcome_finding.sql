-- One row per doubt about what became of runs: those that did not recover by themselves, and configurations whose logs show no later step.
-- columns:
--   severity: warning
--   kind: not_recovered, last_step
--   configuration: folder group
--   run: run; null where it concerns the configuration
--   text: the doubt in a sentence
--   file_id: file of the line behind it
--   line_no: line
select
    'warning' as severity,
    'not_recovered' as kind,
    run_outcome.configuration,
    run_outcome.run,
    format(
        'In `{}`, {} {}: {}.',
        run_outcome.configuration,
        run_text(run_outcome.run),
        case run_outcome.outcome
            when 'recovered_by_hand' then 'recovered by hand'
            when 'failed' then 'did not recover'
            when 'aborted' then 'was aborted'
            when 'log_ended' then 'is not seen to recover'
            else 'cannot be said to have recovered'
        end,
        run_outcome.reason
    ) as text,
    run_outcome.file_id,
    run_outcome.line_no

from run_outcome

where run_outcome.outcome not in ('recovered', 'planned') and run_outcome.is_counted

union all

-- the recovery of one configuration ends with another step than that of others of the same stack
select
    'note',
    'last_step',
    here.configuration,
    null,
    format(
        'Recovery in `{}` is counted to `{}`, the last step that its logs show; that of {} is counted to `{}`, and is not compared with it.',
        here.configuration,
        here.headline,
        string_agg(format('`{}`', there.configuration), ', ' order by there.configuration),
        there.headline
    ),
    null,
    null

from recovery as here

inner join recovery as there
    on here.headline <> there.headline

inner join (select milestone, min(stack) as stack, min(position) as position from study.milestone_rule group by milestone) as own
    on here.headline = own.milestone

inner join (select milestone, min(stack) as stack, min(position) as position from study.milestone_rule group by milestone) as other
    on there.headline = other.milestone and own.stack = other.stack and own.position < other.position

group by here.configuration, here.headline, there.headline
