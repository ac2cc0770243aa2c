-- One row per operation of a cluster manager on a resource, in the order of time. Seconds after the fault within an
-- incident; times in UTC.
select
    operation.configuration,
    coalesce(run.run, operation.unit_run) as run,
    operation.node,
    operation.object,
    operation.object_class,
    operation.agent,
    operation.action,
    operation.start_at,
    operation."at" as end_at,
    date_diff('microsecond', run.fault_at, operation.start_at) / 1e6 as start_s,
    date_diff('microsecond', run.fault_at, operation."at") / 1e6 as end_s,
    operation.duration_s,
    operation.resolution_s,
    operation.outcome,
    operation.return_code,
    files.path,
    operation.line_no

from main.ha_operation as operation

inner join main.source_file as files using (file_id)

left join main.run as run
    on
        operation.configuration = run.configuration
        and (operation.unit_run is null or operation.unit_run = split_part(run.run, '#', 1))
        and coalesce(operation.start_at, operation."at") >= run.membership_at
        and coalesce(operation.start_at, operation."at") < run.end_at

left join main.configuration_order as configurations
    on operation.configuration = configurations.configuration

order by
    configurations.position,
    operation.configuration,
    coalesce(operation.start_at, operation."at"),
    operation.start_file_id,
    operation.start_line_no,
    operation.file_id,
    operation.line_no
