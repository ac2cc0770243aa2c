-- One row per configuration that the HADR simulator measured: the sync mode to use, with what it needs, brings, costs
-- and is bound by. The safest mode that will do (`hadr_option`), else the fastest. Where one mode only was run there
-- is nothing to choose from. Windows are for TCP sockets: send rate times round trip, as a power of two that holds it.
-- materialised: slow to plan, and read by findings of studies without a simulator, too
-- from: hadr_option by configuration, syncmode; except safer_mb_s, safer_loss_pct, send_mb_s, round_trip_s, needed_bytes, buffer_bytes, model_error_pct, faster_disk_ratio
-- from: hadr_option by configuration, safer_mode as syncmode; of mb_s for safer_mb_s, loss_pct for safer_loss_pct; only safer_mb_s, safer_loss_pct
-- from: hadr_network by configuration; of send_mb_s, round_trip_s for round_trip_s; only send_mb_s, round_trip_s, needed_bytes, buffer_bytes
-- from: hadr_prediction by configuration, setting; of error_pct; only model_error_pct, faster_disk_ratio
-- columns:
--   choice: safest that will do, fastest as none will do, fastest as nothing shows what will do, only mode run
--   setting: setting in words
--   needed_pages: smallest flush size at which it will do by the model, pages
--   mb_s: mean throughput, MB/s of 10^6 bytes
--   reference_mode: freest mode
--   reference_source: measured or model
--   commit_wait_s: mean wait of a commit at full load, seconds
--   alone_commit_wait_s: the same without HADR, seconds
--   safer_mode: next safer mode that was run; null if none
--   safer_mb_s: its best throughput, MB/s
--   safer_loss_pct: percent less than the freest
--   send_mb_s: send rate of the network, MB/s
--   send_source: how it is known
--   round_trip_source: how it is known
--   needed_bytes: TCP window needed, bytes
--   buffer_bytes: socket buffer to ask for, bytes: the power of two that holds the window
--   window_bytes: socket buffer that the runs asked for, bytes; null: the system's own
--   window_verdict: too small, wide enough, tuned by the system, network not known
--   bound_by: throttled, disk, latency, network, none alone: what most of its runs were bound by
--   bound_because: reason in plain words
--   model_error_pct: measured above predicted seconds per flush, percent
--   faster_disk_ratio: throughput with a disk twice as fast over that as it is, by the model
with

ranked as (

    select
        *,
        count(*) over (partition by configuration) as modes,
        row_number() over (
            partition by configuration
            order by
                coalesce(is_enough, false) desc,
                case when is_enough then mode_position end,
                mb_s desc,
                mode_position
        ) as rank

    from hadr_option

),

chosen as (

    select * from ranked where rank = 1

),

safer as (

    select options.*

    from hadr_option as options

    inner join chosen
        on options.configuration = chosen.configuration and options.mode_position < chosen.mode_position

    qualify row_number() over (partition by options.configuration order by options.mode_position desc) = 1

),

verdicts as (

    select
        configuration,
        setting,
        verdict,
        min_by(reason, run_id) as reason,
        count(*) as runs,
        min(run_id) as first_run_id

    from hadr_bottleneck

    where role is distinct from 'standby'

    group by configuration, setting, verdict

),

bounds as (

    select configuration, setting, verdict, reason

    from verdicts

    qualify row_number() over (partition by configuration, setting order by runs desc, first_run_id) = 1

),

windows as (

    select
        simhadr_run.configuration,
        simhadr_run.setting,
        min(hadr_window.window_bytes) as window_bytes,
        min_by(hadr_window.verdict, hadr_window.run_id) as verdict

    from hadr_window

    inner join simhadr_run using (run_id)

    group by simhadr_run.configuration, simhadr_run.setting

),

models as (

    select configuration, setting, min_by(error_pct, (abs(error_pct), error_pct)) as error_pct

    from hadr_prediction

    where setting is not null

    group by configuration, setting

),

faster as (

    select prediction.configuration, prediction.setting, max(changed.ratio) as ratio

    from hadr_prediction as prediction

    inner join hadr_what_if as changed
        on
            prediction.configuration = changed.configuration
            and prediction.disk = changed.disk
            and prediction.disk_mb_s is not distinct from changed.disk_mb_s
            and prediction.disk_overhead_s is not distinct from changed.disk_overhead_s
            and prediction.syncmode = changed.syncmode
            and prediction.flush_pages = changed.flush_pages

    where prediction.disk = 'simulated' and changed.change = 'disk twice as fast'

    group by prediction.configuration, prediction.setting

)

select
    chosen.configuration,
    chosen.syncmode,
    case
        when chosen.modes = 1 then 'only mode run'
        when chosen.is_enough then 'safest that will do'
        when chosen.is_enough is null then 'fastest as nothing shows what will do'
        else 'fastest as none will do'
    end as choice,
    chosen.setting,
    chosen.flush_pages,
    chosen.needed_pages,
    chosen.runs,
    chosen.mb_s,
    chosen.stddev_mb_s,
    chosen.reference_mode,
    chosen.reference_source,
    chosen.reference_mb_s,
    chosen.loss_pct,
    chosen.accepted_loss_pct,
    chosen.required_mb_s,
    chosen.required_source,
    chosen.commit_wait_s,
    chosen.alone_commit_wait_s,
    safer.syncmode as safer_mode,
    safer.mb_s as safer_mb_s,
    safer.loss_pct as safer_loss_pct,
    network.send_mb_s,
    network.send_source,
    network.round_trip_s,
    network.round_trip_source,
    ceil(network.send_mb_s * 1e6 * network.round_trip_s) as needed_bytes,
    pow(2, ceil(log2(nullif(ceil(network.send_mb_s * 1e6 * network.round_trip_s), 0)))) as buffer_bytes,
    windows.window_bytes,
    windows.verdict as window_verdict,
    bounds.verdict as bound_by,
    bounds.reason as bound_because,
    models.error_pct as model_error_pct,
    faster.ratio as faster_disk_ratio

from chosen

left join safer using (configuration)

left join hadr_network as network using (configuration)

left join windows
    on chosen.configuration = windows.configuration and chosen.setting = windows.setting

left join bounds
    on chosen.configuration = bounds.configuration and chosen.setting = bounds.setting

left join models
    on chosen.configuration = models.configuration and chosen.setting = models.setting

left join faster
    on chosen.configuration = faster.configuration and chosen.setting = faster.setting

left join configuration_order using (configuration)

order by configuration_order.position, chosen.configuration
