-- A run did not recover by itself.
-- severity: warning
select
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
            when 'not_followed' then 'is not followed to its end'
            else 'cannot be said to have recovered'
        end,
        run_outcome.reason
    ) as text,
    run_outcome.file_id,
    run_outcome.line_no

from run_outcome

where run_outcome.outcome not in ('recovered', 'planned') and run_outcome.is_counted
