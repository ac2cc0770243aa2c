-- One row per run of simhadr with a result: its bottleneck, the shares of its time that show it, and what makes it
-- doubtful. The first that applies: throttled, with -target; disk, where simulated writes take over nine tenths of the
-- run (under SYNC those of both sides); latency, where the round trip takes over half of a flush; network, where
-- congestion takes over half or shipping over nine tenths of the run, or where no disk was simulated and so nothing
-- else can be; otherwise none alone. A round trip longer than a flush that waits for it is a contradiction: it is
-- flagged and shows nothing.
-- columns:
--   setting: setting in words
--   congestion_pct: share of the run in congestion, percent
--   shipping_pct: share of the run in shipping, percent; a primary's
--   disk_pct: share of the run in simulated writes, percent; null without a disk
--   round_trip_pct: share of a flush that is round trip, percent; of modes that wait for it
--   idle_pct: share of the run idle, percent; throttled runs
--   verdict: throttled, disk, latency, network, none alone
--   reason: in plain words
--   flags: doubts, separated by `, `: loopback, short (below 10 s), throttled, verbose, inaccurate_sleep (over 1 % of
--     writes), sides_differ (over 2 %), round_trip_contradicted, buffer_refused, window_too_small, interrupted,
--     aborted, unpaired
--   line_no: line of the result
with

refused as (

    select distinct run_id from hadr_socket_buffer where run_id is not null and granted_bytes < requested_bytes

),

shares as (

    select
        simhadr_run.*,
        100 * simhadr_run.congestion_s / nullif(simhadr_run.seconds, 0) as congestion_pct,
        100 * simhadr_run.shipping_s / nullif(simhadr_run.seconds, 0) as shipping_pct,
        100 * (
            simhadr_run.write_s
            + case when simhadr_run.syncmode = 'SYNC' and peer.write_s is not null then peer.write_s else 0 end
        ) / nullif(simhadr_run.seconds, 0) as disk_pct,
        case
            when simhadr_run.syncmode in ('SYNC', 'NEARSYNC')
                then 100 * network.round_trip_s / nullif(simhadr_run.sec_per_flush, 0)
        end as round_trip_pct,
        100 * simhadr_run.idle_s / nullif(simhadr_run.seconds, 0) as idle_pct,
        pair.difference_pct,
        coalesce(peer.status, simhadr_run.status) as peer_status,
        refused.run_id is not null as is_refused,
        coalesce(tcp.verdict = 'too small' and tcp.limit_mb_s < tcp.send_mb_s, false)
        and simhadr_run.syncmode in ('ASYNC', 'SUPERASYNC', 'RCU') as has_small_window

    from simhadr_run

    left join simhadr_run as peer
        on simhadr_run.peer_run_id = peer.run_id

    left join simhadr_pair as pair
        on simhadr_run.run_id in (pair.primary_run_id, pair.standby_run_id)

    left join hadr_network as network
        on simhadr_run.configuration = network.configuration

    left join hadr_window as tcp
        on tcp.run_id in (simhadr_run.run_id, simhadr_run.peer_run_id)

    left join refused
        on simhadr_run.run_id = refused.run_id

    where simhadr_run.mb_s is not null

),

evaluated as (

    select
        *,
        case
            when target_mb_s is not null or idle_pct > 0 then 'throttled'
            when disk_pct > 90 then 'disk'
            when round_trip_pct > 50 and round_trip_pct <= 110 then 'latency'
            when congestion_pct > 50 or shipping_pct > 90 or coalesce(disk_mb_s, standby_disk_mb_s) is null then 'network'
            else 'none alone'
        end as verdict

    from shares

)

select
    run_id,
    configuration,
    run,
    role,
    syncmode,
    setting,
    mb_s,
    congestion_pct,
    shipping_pct,
    disk_pct,
    round_trip_pct,
    idle_pct,
    verdict,
    case verdict
        when 'throttled' then 'the rate was ordered: it is no result'
        when 'disk' then format('simulated writes take {:.1f} % of the run', disk_pct::double)
        when 'latency'
            then format('the round trip is {:.0f} % of a flush: larger flushes or a weaker mode help', round_trip_pct::double)
        when 'network'
            then concat_ws(
                '; ',
                case
                    when coalesce(disk_mb_s, standby_disk_mb_s) is null
                        then 'no disk was simulated, the network is the only bottleneck'
                end,
                case when shipping_pct is not null then format('shipping takes {:.1f} % of the run', shipping_pct::double) end,
                case
                    when congestion_pct > 0 then format('{:.1f} % of the run is congestion', congestion_pct::double)
                end
            )
        else 'neither writing nor congestion nor the round trip takes most of the run'
    end as reason,
    concat_ws(
        ', ',
        case when status = 'aborted' or peer_status = 'aborted' then 'aborted' end,
        case when is_refused then 'buffer_refused' end,
        case when sleep_warnings > 0.01 * coalesce(write_calls, flushes, 0) then 'inaccurate_sleep' end,
        case when status = 'interrupted' or peer_status = 'interrupted' then 'interrupted' end,
        case when is_loopback then 'loopback' end,
        case when round_trip_pct > 110 then 'round_trip_contradicted' end,
        case when seconds < 10 then 'short' end,
        case when abs(difference_pct) > 2 then 'sides_differ' end,
        case when verdict = 'throttled' then 'throttled' end,
        case when peer_run_id is null then 'unpaired' end,
        case when is_verbose then 'verbose' end,
        case when has_small_window then 'window_too_small' end
    ) as flags,
    file_id,
    line_no

from evaluated

order by run_id
