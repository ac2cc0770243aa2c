-- One row per resource that a configuration of a cluster declares, with its agent: crm configure, haresources.
-- Class in the words of ha_line, by the agent's name; an agent that is not known is taken to run an application.
-- columns:
--   run: run folder, if the file lies in one
--   resource: name of the resource, as messages of Pacemaker have it; of haresources: script and first argument
--   agent: agent as declared: ocf:heartbeat:IPaddr2, drbddisk
--   agent_type: last part of it: IPaddr2, Filesystem, db2, ...
--   object_class: address, replication, mount, database, fencing or application
with

declared as (

    select configuration, run, node, name as resource, value as agent, file_id, line_no

    from parameter

    where scope = 'crm' and description in ('primitive', 'rsc_template')

    union all

    select configuration, run, node, name as resource, split_part(name, '::', 1) as agent, file_id, line_no

    from parameter

    where scope = 'haresources'

),

typed as (

    select *, regexp_extract(agent, '([^:]*)$', 1) as agent_type from declared

)

select
    configuration,
    run,
    node,
    resource,
    agent,
    agent_type,
    case
        when starts_with(agent, 'stonith:') then 'fencing'
        when regexp_matches(agent_type, '(?i)^(ipaddr|ipv6addr|ipsrcaddr|vipa|aws-?vpc|azure-lb|gcp-vpc)') then 'address'
        when regexp_matches(agent_type, '(?i)^drbd') then 'replication'
        when regexp_matches(agent_type, '(?i)^(filesystem|mount|nfsserver|exportfs)$') then 'mount'
        when
            regexp_matches(
                agent_type, '(?i)^(db2|pgsql|pgsqlms|postgres|mysql|mariadb|galera|oracle|oralsnr|sybase|informix|sapdatabase|saphana)'
            )
            then 'database'
        else 'application'
    end as object_class,
    file_id,
    line_no

from typed
