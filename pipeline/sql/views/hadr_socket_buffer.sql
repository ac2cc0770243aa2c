-- One row per socket buffer of a run of simhadr or of a message of HADR in db2diag: size asked for, and size that the system gave.
-- Linux gives twice what is asked for, to count its own overhead: the window is then the size asked for.
-- columns:
--   source: simhadr or db2diag
--   configuration: folder group
--   run: run
--   run_id: number of the simulator's run in the store; null for db2diag
--   node: host
--   direction: send or receive
--   requested_bytes: size asked for, bytes; null: the system's default
--   default_bytes: size before anything was asked, bytes; of simhadr
--   granted_bytes: size given, upon connection where that is known, bytes
--   ratio: given over asked for
--   verdict: in plain words
--   file_id: file
--   line_no: line
with

stages as (

    select
        run_id,
        max(sndbuf) filter (where stage = 'creation') as created_sndbuf,
        max(rcvbuf) filter (where stage = 'creation') as created_rcvbuf,
        max(sndbuf) filter (where stage = 'buffer resizing') as resized_sndbuf,
        max(rcvbuf) filter (where stage = 'buffer resizing') as resized_rcvbuf,
        max(sndbuf) filter (where stage = 'connection') as connected_sndbuf,
        max(rcvbuf) filter (where stage = 'connection') as connected_rcvbuf,
        max_by(file_id, line_no) as file_id,
        max(line_no) as line_no

    from simhadr_socket

    group by run_id

),

simulated as (

    select
        'simhadr' as source,
        simhadr_run.configuration,
        simhadr_run.run,
        simhadr_run.run_id,
        simhadr_run.node,
        directions.direction,
        case directions.direction when 'send' then simhadr_run.asked_sndbuf_bytes else simhadr_run.asked_rcvbuf_bytes end
            as requested_bytes,
        case directions.direction when 'send' then stages.created_sndbuf else stages.created_rcvbuf end as default_bytes,
        case directions.direction
            when 'send' then coalesce(stages.connected_sndbuf, stages.resized_sndbuf, stages.created_sndbuf)
            else coalesce(stages.connected_rcvbuf, stages.resized_rcvbuf, stages.created_rcvbuf)
        end as granted_bytes,
        stages.file_id,
        stages.line_no

    from simhadr_run

    inner join stages
        on simhadr_run.run_id = stages.run_id

    cross join (select unnest(['send', 'receive']) as direction) as directions

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
