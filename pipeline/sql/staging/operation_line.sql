-- One row per line that can begin or end an operation on a resource. Times in UTC.
-- columns:
--   is_script: of a stack whose scripts do not name the operation that ends: any line of the process may end it
select
    configuration,
    unit_run,
    stack = 'heartbeat' as is_script,
    stack,
    kind,
    node,
    node_key,
    peer,
    peer_key,
    object,
    object_class,
    agent,
    action,
    return_code,
    process,
    pid,
    "at",
    resolution_s,
    file_id,
    line_no,
    part

from ha_line

where
    (stack = 'heartbeat' and kind <> 'log_noise')
    or (
        stack <> 'heartbeat'
        and object is not null
        and action is not null
        and kind in ('resource_start', 'release_start', 'resource_done', 'resource_failed')
    )
