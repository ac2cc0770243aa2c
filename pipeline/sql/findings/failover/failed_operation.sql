-- An operation on a resource failed, in a failover or outside of one.
-- severity: warning
select
    configuration,
    unit_run as run,
    format(
        'On `{}`, `{}` of `{}` failed at {}{}.',
        coalesce(node, 'a node without a name'),
        action,
        coalesce(object, agent, 'a resource'),
        strftime(coalesce("at", start_at), '%Y-%m-%d %H:%M:%S'),
        coalesce(format(' with return code {}', return_code), '')
    ) as text,
    file_id,
    line_no

from ha_operation

where outcome = 'failed'
