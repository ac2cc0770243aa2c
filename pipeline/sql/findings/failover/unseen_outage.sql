-- Clients went without answers, and no log that was read shows that anything was lost.
-- severity: warning
with

outages as (

    select client_outage.*

    from client_outage

    inner join run using (configuration, run)

    anti join injected_fault  -- what a test broke itself has tables of its own
        on client_outage.configuration = injected_fault.configuration and client_outage.run is not distinct from injected_fault.run

    where
        run.used
        and run.fault_at is null
        and not list_contains(string_split(run.flags, ', '), 'planned_takeover')
        and client_outage.failed >= 3
        and client_outage.last_success_at is not null
        and client_outage.last_failure_at - client_outage.first_failure_at >= interval 1 second

)

select
    configuration,
    case when count(distinct run) = 1 then min(run) end as run,
    format(
        'Clients had no answer for {:.1f} s{} in {} of `{}`, and no log that was read shows a fault then: the logs of the servers are missing, '
        || 'or haledger does not understand them (`haledger explain`). No failover is counted; `fault_at` of `[[run]]` in study.toml makes it one.',
        max((epoch_us(last_failure_at) - epoch_us(first_failure_at)) / 1000000),
        case when count(distinct run) > 1 then ' or less' else '' end,
        case when count(distinct run) = 1 then run_text(min(run)) else count(distinct run) || ' runs' end,
        configuration
    ) as text,
    first(file_id order by run, file_id, line_no) as file_id,
    first(line_no order by run, file_id, line_no) as line_no

from outages

group by configuration
