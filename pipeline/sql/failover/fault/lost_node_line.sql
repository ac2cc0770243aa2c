-- One row per incident and instant at which its lost node wrote, or a report of it ends, as it was lost; the last line
-- of it. UTC. Only where its clock can be compared with the surviving node's (`host_clock`).
-- materialised: reads every line of the lost nodes
-- rows by: configuration
-- columns:
--   node: lost node
--   at: stamp as printed
--   basis: how the clocks are compared
--   low_s: the surviving node's clock is ahead of it by no less, seconds
with

files as (

    select
        incident.configuration,
        incident.run,
        source_file.node,
        host_clock.basis,
        host_clock.low_s,
        incident.search_start_at - to_microseconds((1000000 * host_clock.low_s)::bigint) as from_at,
        -- an idle ring may have held its token for a little longer than its loss was seen
        incident.membership_at - to_microseconds((1000000 * host_clock.low_s)::bigint) + interval 1 minute as to_at,
        source_file.file_id,
        source_file.last_at,
        source_file.lines

    from incident

    inner join host_clock
        on
            incident.configuration = host_clock.configuration
            and incident.run = host_clock.run
            and incident.lost_key = host_clock.node_key

    inner join source_file
        on
            incident.configuration = source_file.configuration
            and incident.unit_run is not distinct from source_file.run
            and incident.lost_key = lower(short_host(source_file.node))

    where not incident.is_planned and not incident.is_commanded and source_file.last_at is not null

)

select configuration, run, node, last_at as "at", basis, low_s, file_id, lines as line_no

from files

where last_at between from_at and to_at

union all

select files.configuration, files.run, files.node, event."at", files.basis, files.low_s, files.file_id, max(event.line_no) as line_no

from files

inner join event
    on
        files.file_id = event.file_id
        and event."at" between files.from_at and files.to_at

group by files.configuration, files.run, files.node, event."at", files.basis, files.low_s, files.file_id
