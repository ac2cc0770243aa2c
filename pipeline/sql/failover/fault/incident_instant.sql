-- One row per incident: instants that milestone rules name, besides the membership change. UTC.
-- materialised: reads the records of the database within every incident
-- rows by: configuration
-- empty without rows of: incident
-- columns:
--   service_end_at: the last database group (any group where none has a database) is online, or switched; else the incident's end
--   database_start_at: first record of db2diag after the membership change, else the start of a Db2udb resource, else service_end_at
with

services as (

    select configuration, run, max(service_end_at) as service_end_at

    from service_window

    where is_own_group

    group by configuration, run

),

records as (

    select incident.configuration, incident.run, min(db2diag_record."at") as record_at

    from incident

    inner join source_file
        on
            incident.configuration = source_file.configuration
            and (source_file.run is null or source_file.run is not distinct from incident.unit_run)

    inner join log.db2diag_record as db2diag_record
        on
            source_file.file_id = db2diag_record.file_id
            and db2diag_record."at" > incident.membership_at
            and db2diag_record."at" < incident.end_at
            and lower(writer_host(db2diag_record.host, source_file.node)) is distinct from incident.lost_key

    group by incident.configuration, incident.run

),

starts as (

    select incident.configuration, incident.run, min(cluster_line."at") as start_at

    from incident

    inner join cluster_line
        on
            incident.configuration = cluster_line.configuration
            and incident.unit_run is not distinct from cluster_line.unit_run
            and cluster_line.kind = 'initiate_online'
            and cluster_line."at" >= incident.membership_at
            and cluster_line."at" < incident.end_at

    inner join resource_type
        on
            cluster_line.configuration = resource_type.configuration
            and cluster_line.resource = resource_type.resource
            and resource_type.resource_type = 'Db2udb'

    group by incident.configuration, incident.run

)

select
    incident.configuration,
    incident.run,
    coalesce(services.service_end_at, incident.end_at) as service_end_at,
    coalesce(records.record_at, starts.start_at, services.service_end_at, incident.end_at) as database_start_at

from incident

left join services using (configuration, run)

left join records using (configuration, run)

left join starts using (configuration, run)

order by incident.configuration, incident.run
