-- One row per run of simhadr of any kind: network runs, disk tests, sleep tests. Its numbers side by side, without the
-- run of the study. MB are 10^6 bytes, pages 4096 bytes. `simhadr_run` and `disk_test` are its parts.
-- materialised: gathered from many rows, and read by every view of the simulator
-- columns:
--   line_no: line of its result; without a result the line on which it begins
--   begin_line_no: line on which it begins
--   run_no: number of the run in its file
--   file: path of the file
--   folder_run: run in the name of the folder or file
--   node: host whose output it is
--   version_hint: V2 (2008) or V2.1 (2012 and later), where the help text, the size of acknowledgements or an option
--     shows it
--   cmdline: command line
--   local_host: local host as asked for
--   local_port: local port
--   remote_host: remote host as asked for
--   remote_port: remote port
--   is_loopback: both ends are one host: no measurement of a network; null without addresses
--   syncmode: SYNC, NEARSYNC, ASYNC, SUPERASYNC, RCU: as agreed in the handshake, else as in the result, else as asked
--     for
--   flush_pages: flush size in pages: as agreed in the handshake, else as in the result, else as asked for
--   requested_seconds: length ordered, seconds; the default of 4 where neither length nor count was
--   requested_flushes: count ordered
--   bytes: log bytes shipped, or bytes written or read
--   seconds: length of the run, seconds
--   mb_s: throughput, MB/s
--   flushes: flushes
--   sec_per_flush: seconds per flush without idle time
--   target_mb_s: throttled to this rate, MB/s
--   idle_s: idle because of that, seconds
--   disk_mb_s: transfer rate of the simulated disk, MB/s; null: infinitely fast
--   write_calls: simulated writes
--   written_bytes: bytes written by them
--   write_s: time they took, seconds
--   send_calls: calls to send
--   sent_bytes: bytes sent
--   congestions: times that sending had to wait
--   congestion_s: time waited, seconds
--   recv_calls: calls to recv
--   recv_bytes: bytes received
--   ack_bytes: size of an acknowledgement, bytes
--   shipping_s: time that shipping took, summed over flushes, seconds; a primary's
--   conn_time: time of the connection as printed, the same on both sides
--   asked_sndbuf_bytes: send buffer asked for, bytes
--   asked_rcvbuf_bytes: receive buffer asked for, bytes
--   buffer_bytes: HADR receive buffer of a standby, bytes
--   calls: writes or reads of a disk test
--   sec_per_call: seconds per write or read, of all digits
--   test_file: file of a disk test
--   cached: a disk test through the cache of the file system
--   sleep_requested_s: sleep asked for in a sleep test, seconds
--   sleep_actual_s: sleep it got, seconds
--   hadr_buffer_pages: HADR receive buffer asked for, pages
--   is_blocking: sends and receives wait (-block), which HADR never does; null without a connection
--   has_nagle: small sends are combined (-nagle), which HADR never does
--   is_verbose: -verbose slows a run down
--   error: first error
with

figures as (

    select *

    from (select file_id, run_no, name, value from log.hadr_figure)

    pivot (
        max(value) for name in (
            'bytes', 'seconds', 'mb_s', 'flushes', 'sec_per_flush', 'pages', 'target_mb_s', 'idle_s', 'calls',
            'disk_mb_s', 'disk_overhead_s', 'write_calls', 'written_bytes', 'write_s', 'buffer_bytes',
            'send_calls', 'sent_bytes', 'congestions', 'congestion_s', 'recv_calls', 'recv_bytes',
            'sleep_requested_s', 'sleep_actual_s'
        )
        group by file_id, run_no
    )

),

results as (

    select
        file_id,
        run_no,
        min(line_no) filter (where name in ('bytes', 'calls')) as result_line_no,
        min(label) filter (where name = 'bytes') as result_mode

    from log.hadr_figure

    group by file_id, run_no

),

handshakes as (

    select file_id, run_no, syncmode, flush_pages, conn_time, "at"

    from log.simhadr_handshake

    qualify row_number() over (partition by file_id, run_no order by conn_time is null, line_no) = 1

),

distributions as (

    select
        file_id,
        run_no,
        max(min) filter (where metric = 'recv size' and min = max) as exact_recv_bytes,
        max(min) filter (where metric = 'send size' and min = max) as exact_send_bytes,
        max(sum) filter (where metric = 'log shipping time' and unit = 'microsecond') / 1e6 as shipping_s

    from log.hadr_distribution

    group by file_id, run_no

),

hosts as (

    select
        file_id,
        run_no,
        list_distinct(flatten(list(addresses) filter (where side = 'local'))) as local_addresses,
        list_distinct(flatten(list(addresses) filter (where side = 'remote'))) as remote_addresses

    from log.simhadr_host

    group by file_id, run_no

),

connections as (

    select file_id, run_no, bool_or(is_blocking) as is_blocking, bool_or(has_nagle) as has_nagle

    from log.simhadr_socket

    where stage = 'connection'

    group by file_id, run_no

),

agreed as (

    select
        started.* exclude (disk_mb_s, disk_overhead_s, target_mb_s),
        figures.* exclude (file_id, run_no, disk_mb_s, disk_overhead_s, target_mb_s),
        results.result_line_no,
        distributions.shipping_s,
        handshakes.conn_time,
        handshakes."at",
        connections.is_blocking,
        connections.has_nagle,
        coalesce(figures.disk_mb_s, started.disk_mb_s) as disk_mb_s,
        coalesce(figures.disk_overhead_s, started.disk_overhead_s) as disk_overhead_s,
        coalesce(figures.target_mb_s, started.target_mb_s) as target_mb_s,
        coalesce(handshakes.syncmode, results.result_mode, started.asked_syncmode) as syncmode,
        coalesce(handshakes.flush_pages, figures.pages, started.asked_pages)::bigint as flush_pages,
        case
            when started.asked_flushes is null and started.command is not null and started.role <> 'standby'
                then coalesce(started.asked_s, 4)
            else started.asked_s
        end as requested_seconds,
        case
            when hosts.local_addresses is null or hosts.remote_addresses is null then null
            else
                list_has_any(hosts.local_addresses, hosts.remote_addresses)
                or regexp_matches(array_to_string(hosts.remote_addresses, ' '), '(^| )(127\.|::1( |$))')
        end as is_loopback,
        case
            when started.role = 'standby'
                then coalesce(distributions.exact_send_bytes, figures.sent_bytes / figures.send_calls)
            when started.role = 'primary'
                then coalesce(distributions.exact_recv_bytes, figures.recv_bytes / nullif(figures.flushes, 0))
        end as reply_bytes

    from log.simhadr_run as started

    left join figures using (file_id, run_no)

    left join results using (file_id, run_no)

    left join handshakes using (file_id, run_no)

    left join distributions using (file_id, run_no)

    left join hosts using (file_id, run_no)

    left join connections using (file_id, run_no)

),

acknowledged as (

    select *, case when syncmode in ('SYNC', 'NEARSYNC') then reply_bytes end as ack_bytes from agreed

)

select
    row_number() over (order by recorded.file_id, recorded.run_no)::integer as run_id,
    recorded.file_id,
    coalesce(recorded.result_line_no, recorded.line_no) as line_no,
    recorded.line_no as begin_line_no,
    recorded.run_no,
    source_file.path as file,
    source_file.configuration,
    source_file.run as folder_run,
    source_file.node,
    recorded.role,
    case
        when recorded.version_hint is not null then 'V' || recorded.version_hint
        when recorded.ack_bytes = 48 or recorded.role = 'test_disk' then 'V2'
        when recorded.ack_bytes = 16 or recorded.role in ('write', 'read') or recorded.syncmode = 'SUPERASYNC' then 'V2.1'
    end as version_hint,
    recorded.command as cmdline,
    recorded.local_host,
    recorded.local_port,
    recorded.remote_host,
    recorded.remote_port,
    recorded.is_loopback,
    recorded.syncmode,
    recorded.flush_pages,
    recorded.requested_seconds,
    recorded.asked_flushes as requested_flushes,
    coalesce(recorded.bytes, recorded.calls * recorded.pages * 4096)::bigint as bytes,
    recorded.seconds,
    recorded.mb_s,
    recorded.flushes::bigint as flushes,
    recorded.sec_per_flush,
    recorded.target_mb_s,
    recorded.idle_s,
    recorded.disk_mb_s,
    recorded.disk_overhead_s,
    recorded.write_calls::bigint as write_calls,
    recorded.written_bytes::bigint as written_bytes,
    recorded.write_s,
    recorded.send_calls::bigint as send_calls,
    recorded.sent_bytes::bigint as sent_bytes,
    recorded.congestions::bigint as congestions,
    recorded.congestion_s,
    recorded.recv_calls::bigint as recv_calls,
    recorded.recv_bytes::bigint as recv_bytes,
    recorded.ack_bytes,
    recorded.shipping_s,
    recorded.conn_time,
    recorded."at",
    recorded.asked_sndbuf_bytes,
    recorded.asked_rcvbuf_bytes,
    recorded.buffer_bytes::bigint as buffer_bytes,
    recorded.calls::bigint as calls,
    recorded.seconds / nullif(recorded.calls, 0) as sec_per_call,
    recorded.test_file,
    recorded.is_cached as cached,
    recorded.sleep_requested_s,
    recorded.sleep_actual_s,
    recorded.hadr_buffer_pages,
    recorded.is_blocking,
    recorded.has_nagle,
    recorded.is_verbose,
    recorded.sleep_warnings,
    recorded.error,
    recorded.status

from acknowledged as recorded

inner join source_file using (file_id)

order by run_id
