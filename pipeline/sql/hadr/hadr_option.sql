-- One row per configuration and sync mode that the HADR simulator ran: the best throughput it reached, what it costs,
-- and whether that will do. Enough is the log rate of the workload where that is known: factor `log_mb_s` in
-- study.toml, else the busiest interval of db2logscan in the configuration's folder, or in the only folder of the
-- study that has one. Else a mode will do that loses no more than a tenth (factor `accepted_loss_pct` in study.toml)
-- of what the freest mode ships: ASYNC or SUPERASYNC as measured, else ASYNC by the model. Where a mode ran with a
-- simulated disk and without one, the disk counts: it will be there. Throttled, verbose, interrupted and aborted runs
-- do not count. Commit waits are those at full load, 1.5 flushes.
-- from: simhadr_repeat by configuration, setting; of mean_mb_s, stddev_mb_s for stddev_mb_s, mean_sec_per_flush for sec_per_flush; except reference_mb_s, loss_pct, needed_pages
-- from: simhadr_repeat by configuration; of mean_mb_s; only reference_mb_s, loss_pct, needed_pages
-- columns:
--   mode_position: 1 for the safest to 4 for the freest
--   setting: setting in words that reached the best throughput
--   mb_s: its mean throughput, MB/s of 10^6 bytes
--   sec_per_flush: its mean seconds per flush
--   commit_wait_s: mean wait of a commit, seconds
--   alone_commit_wait_s: mean wait of a commit on the primary's disk without HADR, seconds; null without a simulated
--     disk
--   reference_mode: freest mode; null where none is known
--   reference_source: measured or model
--   reference_mb_s: its throughput, MB/s
--   loss_pct: percent less than that
--   accepted_loss_pct: loss that is accepted, percent
--   required_mb_s: log rate of the workload, MB/s; null if not known
--   required_source: study.toml or db2logscan
--   needed_pages: smallest flush size, of those in `hadr_prediction`, at which the mode will do by the model; null if
--     none or not known
--   is_enough: it will do; null if unknown
with

measured as (

    select
        *,
        list_position(['SYNC', 'NEARSYNC', 'ASYNC', 'SUPERASYNC'], syncmode) as mode_position

    from simhadr_repeat

    where target_mb_s is null and not is_verbose

),

best as (

    select *

    from measured

    where mode_position is not null

    qualify row_number() over (
        partition by configuration, syncmode order by disk_mb_s is null, mean_mb_s desc, setting
    ) = 1

),

freest as (

    select configuration, max_by(syncmode, (mean_mb_s, syncmode)) as reference_mode, max(mean_mb_s) as reference_mb_s

    from best

    where syncmode in ('ASYNC', 'SUPERASYNC')

    group by configuration

),

limits as (

    select
        configuration,
        max(number) filter (where factor = 'log_mb_s') as log_mb_s,
        max(number) filter (where factor = 'accepted_loss_pct') as accepted_loss_pct

    from configuration_factor

    where factor in ('log_mb_s', 'accepted_loss_pct')

    group by configuration

),

scans as (

    select configuration, max(mb_s) as log_mb_s from logscan_interval group by configuration

),

only_scan as (

    select max(log_mb_s) as log_mb_s from scans having count(*) = 1

),

evaluated as (

    select
        best.*,
        coalesce(freest.reference_mode, case when model.mb_s is not null then model.syncmode end) as reference_mode,
        case when freest.reference_mb_s is not null then 'measured' when model.mb_s is not null then 'model' end
            as reference_source,
        coalesce(freest.reference_mb_s, model.mb_s) as reference_mb_s,
        coalesce(limits.accepted_loss_pct, 10) as accepted_loss_pct,
        coalesce(limits.log_mb_s, scans.log_mb_s, only_scan.log_mb_s) as required_mb_s,
        case
            when limits.log_mb_s is not null then 'study.toml'
            when coalesce(scans.log_mb_s, only_scan.log_mb_s) is not null then 'db2logscan'
        end as required_source

    from best

    left join freest using (configuration)

    left join limits using (configuration)

    left join scans using (configuration)

    left join only_scan
        on true

    left join lateral (

        select prediction.syncmode, max(prediction.mb_s) as mb_s

        from hadr_prediction as prediction

        where
            prediction.configuration = best.configuration
            and prediction.syncmode = 'ASYNC'
            and prediction.flush_pages = best.flush_pages
            and prediction.disk in ('simulated', 'infinitely fast')
            and prediction.disk_mb_s is not distinct from best.disk_mb_s
            and prediction.disk_overhead_s is not distinct from best.disk_overhead_s

        group by prediction.syncmode

    ) as model
        on true

),

needed as (

    select evaluated.configuration, evaluated.syncmode, min(prediction.flush_pages) as needed_pages

    from evaluated

    inner join hadr_prediction as prediction
        on
            evaluated.configuration = prediction.configuration
            and evaluated.syncmode = prediction.syncmode
            and evaluated.disk_mb_s is not distinct from prediction.disk_mb_s
            and evaluated.disk_overhead_s is not distinct from prediction.disk_overhead_s
            and prediction.disk in ('simulated', 'infinitely fast')

    where
        prediction.mb_s
        >= coalesce(evaluated.required_mb_s, (1 - evaluated.accepted_loss_pct / 100) * evaluated.reference_mb_s)

    group by evaluated.configuration, evaluated.syncmode

)

select
    evaluated.configuration,
    evaluated.syncmode,
    evaluated.mode_position,
    evaluated.setting,
    evaluated.flush_pages,
    evaluated.runs,
    evaluated.mean_mb_s as mb_s,
    evaluated.stddev_mb_s,
    evaluated.mean_sec_per_flush as sec_per_flush,
    1.5 * evaluated.mean_sec_per_flush as commit_wait_s,
    case
        when evaluated.disk_mb_s is not null
            then 1.5 * hadr_write_s(evaluated.flush_pages * 4096, evaluated.disk_mb_s, evaluated.disk_overhead_s)
    end as alone_commit_wait_s,
    evaluated.reference_mode,
    evaluated.reference_source,
    evaluated.reference_mb_s,
    100 * (1 - evaluated.mean_mb_s / nullif(evaluated.reference_mb_s, 0)) as loss_pct,
    evaluated.accepted_loss_pct,
    evaluated.required_mb_s,
    evaluated.required_source,
    needed.needed_pages,
    case
        when evaluated.required_mb_s is not null then evaluated.mean_mb_s >= evaluated.required_mb_s
        else 100 * (1 - evaluated.mean_mb_s / nullif(evaluated.reference_mb_s, 0)) <= evaluated.accepted_loss_pct
    end as is_enough

from evaluated

left join needed using (configuration, syncmode)

order by evaluated.configuration, evaluated.mode_position
