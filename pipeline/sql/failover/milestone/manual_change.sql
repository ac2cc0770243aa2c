-- One row per unit and change of a parameter of the database that a log of the unit tells, but for those that DB2 made
-- itself. Times in UTC.
select unit_file.configuration, unit_file.unit_run, config_change."at", file_id, config_change.line_no

from log.config_change as config_change

inner join unit_file using (file_id)

where not coalesce(config_change.is_self_tuned, false) and config_change."at" is not null
