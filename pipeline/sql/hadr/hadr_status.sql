-- One row per standby each time that a monitor (db2pd -hadr, snapshot) was asked for HADR. hadr_status_value has every
-- value that was shown. Monitors know fewer states than db2diag.log: rcu is also nearly_peer.
-- columns:
--   node: host that was asked
--   at: time at which it was asked, UTC; null where the output shows none
--   local_at: wall clock of the host
--   standby_id: number of the standby, from V10.1 on
--   log_stream: log stream, from V10.1 on
--   role: role of the host that was asked: primary or standby
--   state: none, local_catchup, rcu_pending, rcu, peer or disconnected_peer
--   state_raw: state as printed
--   connect_status: CONNECTED, DISCONNECTED or CONGESTED
--   connect_status_at: since when, UTC
--   congested_s: for how long the connection has been congested, seconds; null where it is not
--   primary_host: host of the primary
--   standby_host: host of the standby
--   heartbeat_missed: heartbeats that did not come
--   hadr_timeout_s: HADR_TIMEOUT, seconds
--   peer_window_s: HADR_PEER_WINDOW, seconds
--   log_gap_bytes: running average of what the standby is behind, bytes
--   replay_gap_bytes: received and not yet replayed, bytes
--   wait_recent_s: average wait of recent log writes for HADR, seconds
--   wait_accumulated_s: waits of all log writes for HADR, seconds
--   wait_count: log writes that waited for HADR
--   send_buffer_requested_bytes: size asked for by the registry variable; 0: not set
--   send_buffer_actual_bytes: size that the system gave
--   receive_buffer_requested_bytes: size asked for by the registry variable; 0: not set
--   receive_buffer_actual_bytes: size that the system gave
--   receive_buffer_pct: use of the standby's receive buffer, per cent
--   spool_limit_pages: limit of what the standby spools, pages; -1: none
--   last_takeover_at: last take-over, UTC
--   line_no: first line of the block
with

shown as (

    select
        file_id,
        status_no,
        min(line_no) as line_no,
        any_value(configuration) as configuration,
        any_value(run) as run,
        any_value(node) as node,
        any_value("at") as "at",
        any_value(local_at) as local_at,
        any_value(database) as database,
        any_value(member) as member,
        map_from_entries(list(row(name, value) order by line_no, part) filter (where value is not null)) as texts,
        map_from_entries(list(row(name, number) order by line_no, part) filter (where number is not null)) as numbers,
        map_from_entries(list(row(name, shown_at) order by line_no, part) filter (where shown_at is not null)) as times

    from (  -- a block that shows a value twice shows it once

        select *

        from hadr_status_value

        qualify row_number() over (partition by file_id, status_no, name order by line_no, part) = 1

    )

    group by file_id, status_no

),

named as (

    select
        *,
        lower(texts['HADR_ROLE']) as role,
        upper(replace(texts['HADR_STATE'], ' ', '_')) as monitor_state,
        upper(texts['HADR_CONNECT_STATUS']) as connect_status

    from shown

    where texts['HADR_ROLE'] is not null or texts['HADR_STATE'] is not null

)

select
    configuration,
    run,
    node,
    "at",
    local_at,
    database,
    member,
    numbers['STANDBY_ID']::integer as standby_id,
    numbers['LOG_STREAM_ID']::integer as log_stream,
    role,
    case monitor_state
        when 'DISCONNECTED' then 'none'
        when 'REMOTE_CATCHUP_PENDING' then 'rcu_pending'
        when 'REMOTE_CATCHUP' then 'rcu'
        else lower(monitor_state)
    end as state,
    texts['HADR_STATE'] as state_raw,
    upper(texts['HADR_SYNCMODE']) as syncmode,
    connect_status,
    times['HADR_CONNECT_STATUS_TIME'] as connect_status_at,
    case when connect_status = 'CONGESTED' then epoch("at" - times['HADR_CONNECT_STATUS_TIME']) end as congested_s,
    coalesce(
        texts['PRIMARY_MEMBER_HOST'], case role when 'primary' then texts['LOCAL_HOST'] else texts['REMOTE_HOST'] end
    ) as primary_host,
    coalesce(
        texts['STANDBY_MEMBER_HOST'], case role when 'primary' then texts['REMOTE_HOST'] else texts['LOCAL_HOST'] end
    ) as standby_host,
    numbers['HEARTBEAT_MISSED']::bigint as heartbeat_missed,
    numbers['HADR_TIMEOUT'] as hadr_timeout_s,
    numbers['PEER_WINDOW'] as peer_window_s,
    numbers['HADR_LOG_GAP'] as log_gap_bytes,
    numbers['STANDBY_RECV_REPLAY_GAP'] as replay_gap_bytes,
    numbers['LOG_HADR_WAIT_RECENT_AVG'] as wait_recent_s,
    numbers['LOG_HADR_WAIT_ACCUMULATED'] as wait_accumulated_s,
    numbers['LOG_HADR_WAIT_COUNT']::bigint as wait_count,
    numbers['SOCK_SEND_BUF_REQUESTED'] as send_buffer_requested_bytes,
    numbers['SOCK_SEND_BUF_ACTUAL'] as send_buffer_actual_bytes,
    numbers['SOCK_RECV_BUF_REQUESTED'] as receive_buffer_requested_bytes,
    numbers['SOCK_RECV_BUF_ACTUAL'] as receive_buffer_actual_bytes,
    numbers['STANDBY_RECV_BUF_PERCENT'] as receive_buffer_pct,
    numbers['STANDBY_SPOOL_LIMIT'] as spool_limit_pages,
    times['HADR_LAST_TAKEOVER_TIME'] as last_takeover_at,
    file_id,
    line_no

from named

order by configuration, run, node, database, "at", file_id, status_no
