-- One row per record of DB2 about a TAKEOVER or another command for HADR, or about the state or role that HADR then
-- has. Times in UTC.
select
    configuration,
    run,
    node,
    "at",
    kind,
    instance,
    database,
    member,
    side,
    command,
    is_forced,
    is_peer_window_only,
    old_role,
    new_role,
    new_state,
    conn_id,
    text,
    file_id,
    line_no,
    part

from hadr_event

where "at" is not null and kind in ('hadr_command', 'hadr_takeover', 'hadr_state', 'hadr_role')
