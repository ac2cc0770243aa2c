-- One row per incident and first record that a database wrote after the membership change, on a node that was left.
-- UTC.
select incident.configuration, incident.run, min(db2diag_record."at") as "at"

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
