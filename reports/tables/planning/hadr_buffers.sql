-- One row per configuration, direction and size asked for of socket buffers, of the HADR simulator or of HADR itself
-- in db2diag.log.
select
    buffers.configuration,
    case buffers.source
        when 'simhadr' then string_agg(distinct coalesce(runs.role, 'simulator'), ', ' order by coalesce(runs.role, 'simulator'))
        else buffers.node
    end as side,
    buffers.direction,
    buffers.requested_bytes,
    count(*) as buffers,
    min(buffers.default_bytes) as default_bytes,
    min(buffers.granted_bytes) as granted_low_bytes,
    max(buffers.granted_bytes) as granted_high_bytes,
    buffers.verdict

from main.hadr_socket_buffer as buffers

left join main.simhadr_run as runs using (run_id)

left join main.configuration_order as configurations
    on buffers.configuration = configurations.configuration

group by
    configurations.position,
    buffers.configuration,
    buffers.source,
    buffers.node,
    buffers.direction,
    buffers.requested_bytes,
    buffers.verdict

order by
    configurations.position,
    buffers.configuration,
    buffers.source desc,
    side,
    buffers.direction desc,
    buffers.requested_bytes nulls first,
    buffers.verdict
