-- Several configurations, and none of them is the reference.
-- severity: note
select
    'No configuration is the reference, so no ratio is given; set `reference` under [study] in study.toml.' as text

from configuration_order

where  -- networks and disks that are planned with are no variants of one thing
    configuration not in (select simhadr_run.configuration from simhadr_run)
    and configuration not in (select disk_test.configuration from disk_test)

having count(*) > 1 and count(reference) = 0
