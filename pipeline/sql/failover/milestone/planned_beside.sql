-- One row per planned change beside failovers of its configuration: it counts in no statistics of them.
select configuration, run

from run_outcome

where
    outcome = 'planned'
    and configuration in (
        select others.configuration

        from run_outcome as others

        inner join run using (configuration, run)

        where run.used and others.outcome <> 'planned'
    )
