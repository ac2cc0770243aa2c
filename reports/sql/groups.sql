-- One row per service group that main.cf declares.
select distinct
    configuration,
    "group",
    is_parallel,
    systems,
    auto_start

from main.cluster_group

order by configuration, "group", systems
