-- One row per parameter whose value differs between a configuration and its reference, named or proposed.
-- Only scopes that both state are compared. A value that only names a moment (first active log file, ...) is left out,
-- as is what a kernel counts or draws,
-- and AUTOMATIC(n) is the same setting for any n: automatic_change has those. A variable of the registry counts at the
-- level that holds: environment, user, node, instance, global. Several values in one configuration are joined by ` / `.
-- from: parameter by configuration, scope, name; of value; except reference_value
-- from: parameter by reference as configuration, scope, name; of value; except value
-- columns:
--   name: parameter
--   scope: db, dbm, registry, llttab, ...
--   description: the product's description
--   reference_value: value there; null if not given
--   value: value here; null if not given
with

declared as (

    select
        configuration,
        scope,
        name,
        first(description order by file_id, line_no) over (partition by configuration, scope, name) as description,
        value,
        case when coalesce(is_automatic, starts_with(value, 'AUTOMATIC')) then 'AUTOMATIC' else value end as setting

    from parameter

    where
        configuration is not null
        and not regexp_matches(
            lower(name || ' ' || coalesce(description, '')),
            'first active log file|first_active_log_file|committed transactions|committed_transactions'
            || '|database is consistent|database_is_consistent|(backup|rollforward|restore|upgrade)[ _]pending'
        )

        -- what the kernel counts or draws is no setting
        and not (
            scope = 'sysctl'
            and regexp_matches(
                name,
                '^fs[./](dentry-(state|negative)|file-nr|inode-(nr|state)|aio-nr|quota)|^kernel[./](random[./]|ns_last_pid'
                || '|pty[./]nr|sched_domain|perf_event_max_sample_rate|hostname|tainted)|^net[./]netfilter[./]nf_conntrack_count'
            )
        )

    qualify
        scope <> 'registry'
        or subject is not distinct from first(
            subject
            order by coalesce(list_position(['environment', 'user', 'node', 'instance', 'global'], subject), 6)
        ) over (partition by configuration, file_id, name)

),

per_configuration as (

    select
        configuration,
        scope,
        name,
        min(description) as description,
        string_agg(distinct value, ' / ' order by value) as value,
        string_agg(distinct setting, ' / ' order by setting) as setting

    from declared

    group by configuration, scope, name

),

pairs as (

    select configuration, reference, is_proposed from comparison_pair where reference <> configuration

),

scopes as (

    select distinct pairs.configuration, pairs.reference, pairs.is_proposed, here.scope

    from pairs

    inner join per_configuration as here using (configuration)

    inner join per_configuration as there
        on pairs.reference = there.configuration and here.scope = there.scope

),

names as (

    select distinct scopes.configuration, scopes.reference, scopes.is_proposed, scopes.scope, per_configuration.name

    from scopes

    inner join per_configuration
        on
            scopes.scope = per_configuration.scope
            and per_configuration.configuration in (scopes.configuration, scopes.reference)

)

select
    names.name,
    names.scope,
    coalesce(here.description, there.description) as description,
    names.reference,
    there.value as reference_value,
    names.configuration,
    here.value,
    names.is_proposed

from names

left join per_configuration as here using (configuration, scope, name)

left join per_configuration as there
    on names.reference = there.configuration and names.scope = there.scope and names.name = there.name

where here.setting is distinct from there.setting
