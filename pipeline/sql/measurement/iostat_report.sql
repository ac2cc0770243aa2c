-- One row per report of iostat, vmstat, sar, mpstat or sadf: what one interval printed.
-- The number counts from 1 per run of the tool and section. The interval is measured between stamps, else stated, else derived
-- from amounts and rates that the same row prints; null where nothing shows it.
-- materialised: every row of a report reads it
-- rows by: configuration
-- empty without rows of: log.iostat_mark
-- columns:
--   run: run folder, else the run in whose time the report lies; null outside of all
--   section: whose reports are counted together: iostat, vmstat, cpu and device of sar, sadf
--   report_no: report in the invocation, from 1
--   offset_s: seconds since the first report of the invocation; null where neither stamps nor an interval tell
--   interval_s: seconds that the report covers; null for the time since boot, and where nothing shows it
--   interval_source: printed, stamps, stated (study.toml), derived (amount over rate)
--   time_source: printed, wrapper (a line around the tool's output), stated (study.toml)
--   time_quality: ambiguous_date where day and month may be the other way round
--   flags: gap (longer than the others), clock_step (earlier than the one before)
with

reports as (

    select *

    from log.iostat_mark

    where line_no = report_line

),

amounts as (

    select
        device.file_id,
        mark.invocation_no,
        median(coalesce(
            case when device.wkb_total >= 100 then device.wkb_total / nullif(device.wkb_per_s, 0) end,
            case when device.rkb_total >= 100 then device.rkb_total / nullif(device.rkb_per_s, 0) end
        )) as interval_s

    from log.iostat_device as device

    inner join log.iostat_mark as mark
        on device.file_id = mark.file_id and device.mark_line = mark.line_no

    where not mark.is_since_boot and (device.wkb_total >= 100 or device.rkb_total >= 100)

    group by device.file_id, mark.invocation_no

),

derived as (  -- the tools take whole seconds

    select
        file_id,
        invocation_no,
        case when abs(interval_s - round(interval_s)) <= 0.01 * interval_s then round(interval_s) else interval_s end
            as interval_s

    from amounts

    where interval_s is not null

),

timed as (

    select
        reports.*,
        case when not reports.is_since_boot then coalesce(reports.interval_s, derived.interval_s) end as known_s,
        coalesce(
            reports.interval_source,
            case when not reports.is_since_boot and derived.interval_s is not null then 'derived' end
        ) as known_source,
        epoch(reports."at" - min(reports."at") over invocation) as stamped_offset_s

    from reports

    left join derived
        on reports.file_id = derived.file_id and reports.invocation_no = derived.invocation_no

    window invocation as (partition by reports.file_id, reports.invocation_no, reports.section)

),

offsets as (

    select
        *,
        coalesce(
            stamped_offset_s,
            (report_no - 1) * median(known_s) over (partition by file_id, invocation_no, section)
        ) as offset_s

    from timed

)

select
    source_file.configuration,
    coalesce(source_file.run, long_run.run, run_hour.run) as run,
    short_host(source_file.node) as node,
    offsets.section,
    offsets.invocation_no,
    offsets.report_no,
    offsets.is_since_boot,
    offsets."at",
    offsets.local_at,
    offsets.offset_s,
    offsets.known_s as interval_s,
    offsets.known_source as interval_source,
    offsets.time_source,
    offsets.time_quality,
    offsets.flags,
    offsets.file_id,
    offsets.report_line

from offsets

inner join source_file
    on offsets.file_id = source_file.file_id

left join run_hour as long_run
    on
        source_file.run is null
        and source_file.configuration = long_run.configuration
        and long_run.hour is null
        and is_within(offsets."at", long_run.start_at, long_run.end_at)

left join run_hour
    on
        source_file.run is null
        and source_file.configuration = run_hour.configuration
        and time_bucket(interval 1 hour, offsets."at") = run_hour.hour
        and offsets."at" >= run_hour.start_at
        and offsets."at" < run_hour.end_at

order by offsets.file_id, offsets.report_line
