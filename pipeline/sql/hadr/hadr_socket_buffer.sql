-- One row per socket buffer of a run of simhadr or of a message of HADR in db2diag: size asked for, and size that the
-- system gave. Linux gives twice what is asked for, to count its own overhead: the window is then the size asked for.
-- columns:
--   source: simhadr or db2diag
--   run_id: number of the simulator's run in the store; null for db2diag
--   direction: send or receive
--   requested_bytes: size asked for, bytes; null: the system's default
--   default_bytes: size before anything was asked, bytes; of simhadr
--   granted_bytes: size given, upon connection where that is known, bytes
--   ratio: given over asked for
--   verdict: in plain words
with

sockets as (

    select run_id, 'send' as direction, stage, sndbuf as bytes, file_id, line_no from simhadr_socket
    union all
    select run_id, 'receive', stage, rcvbuf, file_id, line_no from simhadr_socket

),

stages as (

    select
        run_id,
        direction,
        max(bytes) filter (where stage = 'creation') as created,
        max(bytes) filter (where stage = 'buffer resizing') as resized,
        max(bytes) filter (where stage = 'connection') as connected,
        max_by(file_id, line_no) as file_id,
        max(line_no) as line_no

    from sockets

    group by run_id, direction

),

simulated as (

    select
        'simhadr' as source,
        simhadr_run.configuration,
        simhadr_run.run,
        simhadr_run.run_id,
        simhadr_run.node,
        stages.direction,
        case stages.direction when 'send' then simhadr_run.asked_sndbuf_bytes else simhadr_run.asked_rcvbuf_bytes end
            as requested_bytes,
        stages.created as default_bytes,
        coalesce(stages.connected, stages.resized, stages.created) as granted_bytes,
        stages.file_id,
        stages.line_no

    from simhadr_run

    inner join stages using (run_id)

),

buffers as (

    select * from simulated

    union all

    select
        'db2diag',
        configuration,
        run,
        null,
        node,
        direction,
        requested_bytes,
        null,
        actual_bytes,
        file_id,
        line_no

    from hadr_event

    where kind = 'hadr_socket_buffer' and direction is not null

)

select
    source,
    configuration,
    run,
    run_id,
    node,
    direction,
    requested_bytes,
    default_bytes,
    granted_bytes,
    granted_bytes / nullif(requested_bytes, 0) as ratio,
    case
        when granted_bytes is null then 'size given is not known'
        when requested_bytes is null then 'default of the system'
        when granted_bytes < requested_bytes then 'less than asked for: raise the limit of the system'
        when granted_bytes = 2 * requested_bytes then 'twice what was asked for, as Linux does'
        when granted_bytes > requested_bytes then 'more than asked for'
        else 'as asked for'
    end as verdict,
    file_id,
    line_no

from buffers

order by source desc, run_id, configuration, run, file_id, line_no, direction desc
