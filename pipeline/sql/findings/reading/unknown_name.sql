-- study.toml names a run, a configuration, a node or a service group that the study does not have.
-- severity: warning
with

declared as (  -- names in study.toml, and whether the study has them

    select
        format(
            'run {} of {}',
            coalesce(declared_run.run, '(not given)'),
            coalesce('`' || declared_run.configuration || '`', 'a configuration that `[[run]]` does not name')
        ) as name,
        bool_or(
            same_run(declared_run.run, split_part(run.run, '#', 1)) or run.fault_at = declared_run.fault_at
        ) as is_found

    from study.run as declared_run

    left join run using (configuration)

    group by declared_run.configuration, declared_run.run

    union all

    select
        format('the configuration `{}`', names.configuration),
        bool_or(configuration_order.configuration is not null)

    from (
        select configuration from study.configuration
        union
        select reference from study.configuration
        union
        select reference from study.setting
    ) as names

    left join configuration_order using (configuration)

    where names.configuration is not null

    group by names.configuration

    union all

    select format('the node `{}`', node.node), bool_or(source_file.file_id is not null)

    from study.node as node

    left join source_file
        on
            lower(short_host(node.node)) = lower(short_host(source_file.node))
            or lower(node.node) = lower(split_part(source_file.node, '.', 1))

    group by node.node

    union all

    select format('the service group `{}`', names."group"), bool_or(cluster_line.file_id is not null)

    from (select unnest(setting.service_groups) as "group" from study.setting as setting) as names

    left join cluster_line using ("group")

    group by names."group"

)

select
    format('study.toml mentions {}, but the study holds none of that name.', name) as text

from declared

where not coalesce(is_found, false)
