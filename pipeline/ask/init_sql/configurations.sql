-- One row per configuration, in the order of tables: its runs, those used, those with a failover.
select
    place.configuration,
    place.label,
    place.reference,
    place.reference_source,
    count(run.run) as runs,
    count(run.run) filter (where run.used) as used,
    count(run.run) filter (where run.used and run.fault_at is not null) as failovers

from configuration_order as place

left join run using (configuration)

group by place.position, place.configuration, place.label, place.reference, place.reference_source

order by place.position
