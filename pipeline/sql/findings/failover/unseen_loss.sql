-- A take-over by force is counted from its command, as no line shows when the primary was lost.
-- severity: warning
select
    run.configuration,
    run.run,
    format(
        'In `{}`, {}: no line shows when the primary was lost, so times count from the command to take over, not from the fault. '
        || 'Declare fault_at under [[run]] in study.toml.',
        run.configuration,
        run_text(run.run)
    ) as text,
    run.file_id,
    run.line_no

from run

where run.used and run.fault_source = 'take-over command' and not list_contains(string_split(run.flags, ', '), 'planned_takeover')
