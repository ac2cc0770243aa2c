-- One row per configuration and reason for which questions of clients failed: in how many used runs, how often, and
-- when after the fault.
select
    errors.configuration,
    errors.target,
    coalesce(errors.reason, 'not given') as reason,
    count(distinct errors.run) as runs,
    any_value(of_all.runs) as of_runs,
    sum(errors.failed) as failed,
    sum(errors.failed) / any_value(of_all.runs) as failed_per_run,
    favg(errors.first_s order by errors.first_s) as mean_first_s,
    favg(errors.last_s order by errors.last_s) as mean_last_s

from main.client_error as errors

inner join main.run as runs using (configuration, run)

inner join (
    select outages.configuration, count(distinct outages.run) as runs

    from main.client_outage as outages

    inner join main.run as used using (configuration, run)

    where used.used

    group by outages.configuration
) as of_all
    on errors.configuration = of_all.configuration

left join main.configuration_order as configurations using (configuration)

where runs.used

group by errors.configuration, errors.target, errors.reason, configurations.position

order by configurations.position, errors.configuration, errors.target, mean_first_s, reason
