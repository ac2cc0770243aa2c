-- One row per run of simhadr with a result: the TCP window it had against the one its network needs, send rate times
-- round trip. Window: the smaller of the send and receive buffers asked for on either side, else of those given; a
-- send or receive buffer that nobody asked for is tuned by the system and sets no limit. SYNC and NEARSYNC keep one
-- flush under way: a larger window does not help them.
-- columns:
--   window_bytes: window, bytes; null where no buffer was asked for
--   granted_bytes: smallest buffer given, bytes
--   send_mb_s: send rate of the network, MB/s
--   needed_bytes: window needed, bytes
--   limit_mb_s: most that the window lets through, MB/s
--   verdict: too small, wide enough, tuned by the system, network not known
--   advice: in plain words
--   line_no: line of the result
with

windows as (

    select
        run_id,
        min(granted_bytes) as granted_bytes,
        -- a system that gives less than asked for sets the limit
        case when min(requested_bytes) is not null then least(min(requested_bytes), min(granted_bytes)) end as limit_bytes

    from hadr_socket_buffer

    where run_id is not null

    group by run_id

),

runs as (

    select
        simhadr_run.run_id,
        simhadr_run.configuration,
        simhadr_run.run,
        simhadr_run.syncmode,
        simhadr_run.flush_pages,
        least(own.limit_bytes, peer.limit_bytes) as window_bytes,
        least(own.granted_bytes, peer.granted_bytes) as granted_bytes,
        network.send_mb_s,
        network.round_trip_s,
        network.send_mb_s * 1e6 * network.round_trip_s as needed_bytes,
        simhadr_run.mb_s,
        simhadr_run.file_id,
        simhadr_run.line_no

    from simhadr_run

    left join windows as own using (run_id)

    left join windows as peer
        on simhadr_run.peer_run_id = peer.run_id

    left join hadr_network as network using (configuration)

    where simhadr_run.is_decisive and simhadr_run.mb_s is not null

),

evaluated as (

    select
        *,
        window_bytes / nullif(round_trip_s * 1e6, 0) as limit_mb_s,
        case
            when needed_bytes is null then 'network not known'
            when window_bytes is null then 'tuned by the system'
            when window_bytes < needed_bytes then 'too small'
            else 'wide enough'
        end as verdict

    from runs

)

select
    run_id,
    configuration,
    run,
    syncmode,
    flush_pages,
    window_bytes,
    granted_bytes,
    send_mb_s,
    round_trip_s,
    needed_bytes,
    limit_mb_s,
    mb_s,
    verdict,
    case
        when verdict = 'too small' and syncmode in ('SYNC', 'NEARSYNC') and flush_pages * 4096 <= window_bytes
            then 'the window holds a flush: not the window but the flush size keeps this mode waiting'
        when verdict = 'too small'
            then format(
                'at most {:.2f} MB/s of {:.2f}; ask for {:t } bytes or more',
                limit_mb_s::double, send_mb_s::double, ceil(needed_bytes)::bigint
            )
        when verdict = 'wide enough' then 'no change needed'
        when verdict = 'tuned by the system'
            then format('no size was asked for; {:t } bytes are needed', ceil(needed_bytes)::bigint)
        else 'state network_mb_s and round_trip_s in study.toml, or run ASYNC and NEARSYNC'
    end as advice,
    file_id,
    line_no

from evaluated

order by run_id
