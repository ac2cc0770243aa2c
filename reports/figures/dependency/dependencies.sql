-- One row per `requires` of main.cf, in the order of the file: the parent needs the child.
select
    configuration,
    dependency_kind,
    coalesce("group", '(group not legible)') as "group",
    parent,
    child,
    mode

from main.cluster_dependency

group by configuration, dependency_kind, 3, parent, child, mode

order by configuration, dependency_kind, min(line_no), "group", parent, child, mode
