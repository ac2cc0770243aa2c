-- One row per line by which a tool that injects faults says what it does. Times in UTC.
-- columns:
--   run: run folder
--   stack: the tool
--   object: what it is done to
--   action: what is done, as the tool calls it
select
    configuration,
    unit_run as run,
    stack,
    kind,
    object,
    action,
    "at",
    resolution_s,
    file_id,
    line_no,
    part

from ha_line

where kind in ('fault_asked', 'fault_injected', 'fault_ended', 'fault_over') and unit_run is not null
