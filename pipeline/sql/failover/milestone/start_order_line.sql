-- One row per configuration and line of a cluster's configuration that orders the starts of resources: `requires` of
-- main.cf, groups, clones and orders of Pacemaker.
-- columns:
--   kind: requires, requires_group (main.cf), group, clone, ms, master, bundle, order (Pacemaker)
--   name: resource or group that starts later; container; name of the order
--   value: resource or group that starts first; members in their order; `Mandatory: first then`
select
    applicable_file.configuration,
    case cluster_dependency.dependency_kind when 'group' then 'requires_group' else 'requires' end as kind,
    cluster_dependency.parent as name,
    cluster_dependency.child as "value",
    file_id,
    cluster_dependency.line_no

from log.cluster_dependency as cluster_dependency

inner join applicable_file using (file_id)

where cluster_dependency.mode is null or not contains(lower(cluster_dependency.mode), 'offline')

union all

select
    applicable_file.configuration,
    parameter.description as kind,
    split_part(parameter.name, ' ', 2) as name,
    parameter."value",
    file_id,
    parameter.line_no

from parameter

inner join applicable_file using (file_id)

where parameter.scope = 'crm' and parameter.description in ('group', 'clone', 'ms', 'master', 'bundle', 'order')
