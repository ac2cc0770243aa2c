-- One row per configuration: how busy the processors of its hosts were together, and of the idlest and the busiest
-- host, percent.
with

per_run as (

    select
        cpu.configuration,
        cpu.run,
        cpu.node,
        favg(cpu.busy_pct order by cpu.busy_pct) as busy_pct

    from main.processor_share as cpu

    inner join main.run as runs using (configuration, run)

    where runs.used
        and not cpu.is_since_boot

    group by cpu.configuration, cpu.run, cpu.node, cpu.source

    qualify cpu.source = min(cpu.source) over (partition by cpu.configuration, cpu.node)  -- a host counts once

),

per_host as (

    select
        configuration,
        node,
        favg(busy_pct order by busy_pct) as busy_pct

    from per_run

    group by configuration, node

),

of_run as (

    select
        configuration,
        run,
        favg(busy_pct order by busy_pct) as busy_pct

    from per_run

    group by configuration, run

),

hosts as (

    select
        configuration,
        count(*) as hosts,
        arg_min(node, (busy_pct, node)) as idlest,
        min(busy_pct) as idlest_pct,
        arg_max(node, (busy_pct, node)) as busiest,
        max(busy_pct) as busiest_pct

    from per_host

    group by configuration

),

of_runs as (

    select
        configuration,
        count(*) as runs,
        favg(busy_pct order by busy_pct) as busy_pct,
        case when count(*) > 1 then stddev_samp(busy_pct order by busy_pct) end as busy_stddev

    from of_run

    group by configuration

)

select
    hosts.configuration,
    hosts.hosts,
    of_runs.runs,
    of_runs.busy_pct,
    of_runs.busy_stddev,
    hosts.idlest,
    hosts.idlest_pct,
    hosts.busiest,
    hosts.busiest_pct

from hosts

inner join of_runs on hosts.configuration = of_runs.configuration

left join main.configuration_order as configurations
    on hosts.configuration = configurations.configuration

order by configurations.position, hosts.configuration
