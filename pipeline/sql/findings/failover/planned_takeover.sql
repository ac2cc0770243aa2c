-- The take-over was planned: it counts in no statistics of failovers.
-- severity: note
with

waits as (

    select configuration, run, max(coalesce(outage_s, outage_low_s)) as outage_s

    from client_outage

    group by configuration, run

)

select
    run.configuration,
    run.run,
    format(
        'In `{}`, {}: the take-over was planned; times count from {}{}.',
        run.configuration,
        run_text(run.run),
        case when run.fault_source = 'shutdown notice' then 'the notice of the node that left' else 'its order' end,
        case when waits.outage_s > 0 then format(', and clients waited {:.1f} s', waits.outage_s) else '' end
    ) as text,
    run.file_id,
    run.line_no

from run

left join waits using (configuration, run)

where run.used and run.same_as is null and list_contains(string_split(run.flags, ', '), 'planned_takeover')
