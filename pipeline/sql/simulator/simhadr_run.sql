-- One row per run of simhadr as a primary, a standby or (where nothing shows it) either. MB are 10^6 bytes, pages 4096
-- bytes. A pair has one run of the study. Where no folder and no file name gives it, runs of one setting are counted
-- from 1 in the order of their connections, files and lines. Both sides print the same result line; for ASYNC and
-- weaker modes the standby's is the right one.
-- materialised: read by every view of the simulator
-- columns:
--   configuration: folder group; a standby's is that of its primary
--   run: run of the study
--   role: primary, standby, or null
--   peer_run_id: run of the other side
--   is_decisive: its throughput stands for the pair: the primary's if it waits for acknowledgements, else the standby's
--   setting: sync mode, flush size, simulated disks, throttling, buffers and socket options in words: repeats have the
--     same
--   version_hint: V2 (2008) or V2.1 (2012 and later)
--   node: host whose output it is
--   local_host: local host
--   remote_host: remote host
--   is_loopback: both ends are one host: no measurement of a network
--   requested_seconds: length ordered, seconds
--   bytes: log bytes shipped
--   standby_disk_mb_s: transfer rate of the standby's simulated disk, MB/s; the primary's where no standby is known
--   write_calls: simulated writes; on a standby not the flushes
--   conn_time: time of the connection as printed
--   is_blocking: sends and receives wait (-block), which HADR never does
--   line_no: line of the result; without one the line on which the run begins
with

runs as (

    select * from simhadr_record where role in ('primary', 'standby') or role is null

),

led as (  -- who represents a pair: its primary

    select
        runs.*,
        coalesce(as_standby.primary_run_id, runs.run_id) as lead_run_id,
        coalesce(as_standby.primary_run_id, as_primary.standby_run_id) as peer_run_id

    from runs

    left join simhadr_pair as as_primary
        on runs.run_id = as_primary.primary_run_id

    left join simhadr_pair as as_standby
        on runs.run_id = as_standby.standby_run_id

),

leaders as (

    select
        led.run_id,
        led.configuration,
        led.target_mb_s,
        case when peer.run_id is null then led.disk_mb_s else peer.disk_mb_s end as standby_disk_mb_s,
        case when peer.run_id is null then led.disk_overhead_s else peer.disk_overhead_s end as standby_disk_overhead_s,
        coalesce(led.syncmode, 'mode unknown')
        || case when led.flush_pages is null then '' else format(', {} pages', led.flush_pages) end
        || case
            when led.disk_mb_s is null then ''
            else format(', disk {:g} MB/s + {:g} s', led.disk_mb_s, led.disk_overhead_s)
        end
        || case
            when peer.run_id is null
                or (peer.disk_mb_s, peer.disk_overhead_s) is not distinct from (led.disk_mb_s, led.disk_overhead_s)
                then ''
            when peer.disk_mb_s is null then ', no disk on the standby'
            else format(', standby disk {:g} MB/s + {:g} s', peer.disk_mb_s, peer.disk_overhead_s)
        end
        || case when led.target_mb_s is null then '' else format(', throttled to {:g} MB/s', led.target_mb_s) end
        || case
            when coalesce(
                led.asked_sndbuf_bytes, led.asked_rcvbuf_bytes, peer.asked_sndbuf_bytes, peer.asked_rcvbuf_bytes
            ) is null then ''
            else format(
                ', socket buffers {}/{}',
                coalesce(led.asked_sndbuf_bytes::varchar, 'default'),
                coalesce(led.asked_rcvbuf_bytes::varchar, 'default')
            )
        end
        || case
            when peer.run_id is null
                or (peer.asked_sndbuf_bytes, peer.asked_rcvbuf_bytes)
                is not distinct from (led.asked_sndbuf_bytes, led.asked_rcvbuf_bytes) then ''
            else format(
                ', on the standby {}/{}',
                coalesce(peer.asked_sndbuf_bytes::varchar, 'default'),
                coalesce(peer.asked_rcvbuf_bytes::varchar, 'default')
            )
        end
        || coalesce(format(', HADR buffer {} pages', coalesce(peer.hadr_buffer_pages, led.hadr_buffer_pages)), '')
        || case when led.is_blocking or peer.is_blocking then ', blocking' else '' end
        || case when led.has_nagle or peer.has_nagle then ', Nagle' else '' end
        || case when led.is_verbose or peer.is_verbose then ', verbose' else '' end as setting,
        coalesce(
            led.folder_run,
            row_number() over (
                partition by led.configuration, led.folder_run, setting order by led."at" nulls last, led.file, led.line_no
            )::varchar
        ) as run

    from led

    left join led as peer
        on led.peer_run_id = peer.run_id

    where led.lead_run_id = led.run_id

)

select
    led.run_id,
    leaders.configuration,
    leaders.run,
    led.file,
    led.role,
    led.peer_run_id,
    led.peer_run_id is null
    or (led.role = 'primary') = coalesce(led.syncmode in ('SYNC', 'NEARSYNC'), true) as is_decisive,
    leaders.setting,
    led.version_hint,
    led.cmdline,
    led.node,
    led.local_host,
    led.local_port,
    led.remote_host,
    led.remote_port,
    led.is_loopback,
    led.syncmode,
    led.flush_pages,
    led.requested_seconds,
    led.requested_flushes,
    led.bytes,
    led.seconds,
    led.mb_s,
    led.flushes,
    led.sec_per_flush,
    coalesce(led.target_mb_s, leaders.target_mb_s) as target_mb_s,
    led.idle_s,
    led.disk_mb_s,
    led.disk_overhead_s,
    leaders.standby_disk_mb_s,
    leaders.standby_disk_overhead_s,
    led.write_calls,
    led.written_bytes,
    led.write_s,
    led.send_calls,
    led.sent_bytes,
    led.congestions,
    led.congestion_s,
    led.recv_calls,
    led.recv_bytes,
    led.ack_bytes,
    led.shipping_s,
    led.conn_time,
    led."at",
    led.asked_sndbuf_bytes,
    led.asked_rcvbuf_bytes,
    led.buffer_bytes,
    led.hadr_buffer_pages,
    led.is_blocking,
    led.has_nagle,
    led.is_verbose,
    led.sleep_warnings,
    led.error,
    led.status,
    led.file_id,
    led.line_no

from led

inner join leaders
    on led.lead_run_id = leaders.run_id

order by led.run_id
