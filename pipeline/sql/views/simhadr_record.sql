-- One row per run of simhadr of any kind: network runs, disk tests, sleep tests. Its numbers side by side, without the run of the study.
-- MB are 10^6 bytes, pages 4096 bytes. `simhadr_run`, `disk_test` and `simhadr_sleep_test` are its parts.
-- materialised: gathered from many rows, and read by every view of the simulator
-- empty without rows of: log.simhadr_run
-- columns:
--   run_id: number of the simulator's run in the store, from 1
--   file_id: file
--   line_no: line of its result; without a result the line on which it begins
--   begin_line_no: line on which it begins
--   run_no: number of the run in its file
--   file: path of the file
--   configuration: folder group
--   folder_run: run that the folder or the file's name states
--   node: host whose output it is
--   role: primary, standby, write, read, test_disk, test_sleep; null if nothing tells
--   version_hint: V2 (2008) or V2.1 (2012 and later), where the help text, the size of acknowledgements or an option tells
--   cmdline: command line
--   local_host: local host as asked for
--   local_port: local port
--   remote_host: remote host as asked for
--   remote_port: remote port
--   is_loopback: both ends are one host: no measurement of a network; null without addresses
--   syncmode: SYNC, NEARSYNC, ASYNC, SUPERASYNC, RCU: as agreed in the handshake, else as in the result, else as asked for
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
--   disk_overhead_s: its overhead per write, seconds
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
--   at: that time, UTC
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
--   sleep_warnings: warnings of inaccurate sleep
--   error: first error
--   status: complete, interrupted, aborted, no_result
with

figures as (

    select
        file_id,
        run_no,
        min(line_no) filter (where name in ('bytes', 'calls')) as result_line_no,
        min(label) filter (where name = 'bytes') as result_mode,
        max(value) filter (where name = 'bytes') as bytes,
        max(value) filter (where name = 'seconds') as seconds,
        max(value) filter (where name = 'mb_s') as mb_s,
        max(value) filter (where name = 'flushes') as flushes,
        max(value) filter (where name = 'sec_per_flush') as sec_per_flush,
        max(value) filter (where name = 'pages') as pages,
        max(value) filter (where name = 'target_mb_s') as target_mb_s,
        max(value) filter (where name = 'idle_s') as idle_s,
        max(value) filter (where name = 'disk_mb_s') as disk_mb_s,
        max(value) filter (where name = 'disk_overhead_s') as disk_overhead_s,
        max(value) filter (where name = 'write_calls') as write_calls,
        max(value) filter (where name = 'written_bytes') as written_bytes,
        max(value) filter (where name = 'write_s') as write_s,
        max(value) filter (where name = 'send_calls') as send_calls,
        max(value) filter (where name = 'sent_bytes') as sent_bytes,
        max(value) filter (where name = 'congestions') as congestions,
        max(value) filter (where name = 'congestion_s') as congestion_s,
        max(value) filter (where name = 'recv_calls') as recv_calls,
        max(value) filter (where name = 'recv_bytes') as recv_bytes,
        max(value) filter (where name = 'buffer_bytes') as buffer_bytes,
        max(value) filter (where name = 'calls') as calls,
        max(value) filter (where name = 'mbytes') as mbytes,
        max(value) filter (where name = 'sleep_requested_s') as sleep_requested_s,
        max(value) filter (where name = 'sleep_actual_s') as sleep_actual_s

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
        started.*,
        coalesce(handshakes.syncmode, figures.result_mode, started.asked_syncmode) as syncmode,
        handshakes.conn_time,
        handshakes."at",
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
        end as is_loopback

    from log.simhadr_run as started

    left join figures
        on started.file_id = figures.file_id and started.run_no = figures.run_no

    left join handshakes
        on started.file_id = handshakes.file_id and started.run_no = handshakes.run_no

    left join hosts
        on started.file_id = hosts.file_id and started.run_no = hosts.run_no

),

acknowledged as (

    select
        agreed.file_id,
        agreed.run_no,
        case
            when agreed.syncmode not in ('SYNC', 'NEARSYNC') then null
            when agreed.role = 'standby' then coalesce(distributions.exact_send_bytes, figures.sent_bytes / figures.send_calls)
            when agreed.role = 'primary'
                then coalesce(distributions.exact_recv_bytes, figures.recv_bytes / nullif(figures.flushes, 0))
        end as ack_bytes

    from agreed

    left join figures
        on agreed.file_id = figures.file_id and agreed.run_no = figures.run_no

    left join distributions
        on agreed.file_id = distributions.file_id and agreed.run_no = distributions.run_no

)

select
    row_number() over (order by agreed.file_id, agreed.run_no)::integer as run_id,
    agreed.file_id,
    coalesce(figures.result_line_no, agreed.line_no) as line_no,
    agreed.line_no as begin_line_no,
    agreed.run_no,
    source_file.path as file,
    source_file.configuration,
    source_file.run as folder_run,
    source_file.node,
    agreed.role,
    case
        when agreed.version_hint is not null then 'V' || agreed.version_hint
        when acknowledged.ack_bytes = 48 or agreed.role = 'test_disk' then 'V2'
        when acknowledged.ack_bytes = 16 or agreed.role in ('write', 'read') or agreed.syncmode = 'SUPERASYNC' then 'V2.1'
    end as version_hint,
    agreed.command as cmdline,
    agreed.local_host,
    agreed.local_port,
    agreed.remote_host,
    agreed.remote_port,
    agreed.is_loopback,
    agreed.syncmode,
    agreed.flush_pages,
    agreed.requested_seconds,
    agreed.asked_flushes as requested_flushes,
    coalesce(figures.bytes, figures.calls * figures.pages * 4096)::bigint as bytes,
    figures.seconds,
    figures.mb_s,
    figures.flushes::bigint as flushes,
    figures.sec_per_flush,
    coalesce(figures.target_mb_s, agreed.target_mb_s) as target_mb_s,
    figures.idle_s,
    coalesce(figures.disk_mb_s, agreed.disk_mb_s) as disk_mb_s,
    coalesce(figures.disk_overhead_s, agreed.disk_overhead_s) as disk_overhead_s,
    figures.write_calls::bigint as write_calls,
    figures.written_bytes::bigint as written_bytes,
    figures.write_s,
    figures.send_calls::bigint as send_calls,
    figures.sent_bytes::bigint as sent_bytes,
    figures.congestions::bigint as congestions,
    figures.congestion_s,
    figures.recv_calls::bigint as recv_calls,
    figures.recv_bytes::bigint as recv_bytes,
    acknowledged.ack_bytes,
    distributions.shipping_s,
    agreed.conn_time,
    agreed."at",
    agreed.asked_sndbuf_bytes,
    agreed.asked_rcvbuf_bytes,
    figures.buffer_bytes::bigint as buffer_bytes,
    figures.calls::bigint as calls,
    figures.seconds / nullif(figures.calls, 0) as sec_per_call,
    agreed.test_file,
    agreed.is_cached as cached,
    figures.sleep_requested_s,
    figures.sleep_actual_s,
    agreed.hadr_buffer_pages,
    connections.is_blocking,
    connections.has_nagle,
    agreed.is_verbose,
    agreed.sleep_warnings,
    agreed.error,
    agreed.status

from agreed

inner join source_file
    on agreed.file_id = source_file.file_id

left join acknowledged
    on agreed.file_id = acknowledged.file_id and agreed.run_no = acknowledged.run_no

left join figures
    on agreed.file_id = figures.file_id and agreed.run_no = figures.run_no

left join distributions
    on agreed.file_id = distributions.file_id and agreed.run_no = distributions.run_no

left join connections
    on agreed.file_id = connections.file_id and agreed.run_no = connections.run_no

order by run_id
