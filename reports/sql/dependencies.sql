-- One row per `requires` of main.cf: the parent needs the child.
select distinct
    configuration,
    dependency_kind,
    coalesce("group", '(group not legible)') as "group",
    parent,
    child,
    mode

from main.cluster_dependency

order by configuration, dependency_kind, "group", parent, child, mode
