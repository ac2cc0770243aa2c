-- One row per service group that main.cf declares, in the order of the file.
select
    configuration,
    "group",
    is_parallel,
    systems,
    auto_start

from main.cluster_group

group by configuration, "group", is_parallel, systems, auto_start

order by configuration, min(line_no), "group", systems
