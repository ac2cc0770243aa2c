-- Several service groups moved in the failovers of a configuration, and nobody said which of them count.
-- severity: note
with

moved as (

    select distinct service_window.configuration, service_window."group"

    from service_window

    inner join run using (configuration, run)

    where
        run.used
        and service_window.is_own_group
        and service_window."group" is not null
        and service_window."group" not in ('ClusterService', 'VCShmg', 'cvm', 'vxfen')

)

select
    configuration,
    format(
        '{} service groups of `{}` moved: {}. A run has recovered once all of them are back, and a step is done once it is in all of them. '
        || 'Say which groups count by `service_groups` under [study] in study.toml.',
        count(*),
        configuration,
        string_agg('`' || "group" || '`', ', ' order by "group")
    ) as text

from moved

where (select len(any_value(setting.service_groups)) from study.setting as setting) = 0

group by configuration

having count(*) > 1
