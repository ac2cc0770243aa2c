-- One row per report of iostat, vmstat, sar, mpstat or sadf: what one interval printed. The number counts from 1 per
-- run of the tool and section. The interval is measured between stamps, else stated, else derived from amounts and
-- rates that the same row prints; null where nothing shows it.
-- materialised: every row of a report reads it
-- rows by: configuration
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

invocations as (  -- grouped: a window would hold all reports of a long log in memory

    select
        report.file_id,
        report.invocation_no,
        report.section,
        min(report."at") as first_at,
        median(case when not report.is_since_boot then coalesce(report.interval_s, derived.interval_s) end) as usual_s

    from log.iostat_mark as report

    left join derived using (file_id, invocation_no)

    where report.line_no = report.report_line

    group by report.file_id, report.invocation_no, report.section

),

offsets as (

    select
        report.*,
        case when not report.is_since_boot then coalesce(report.interval_s, derived.interval_s) end as known_s,
        coalesce(
            report.interval_source,
            case when not report.is_since_boot and derived.interval_s is not null then 'derived' end
        ) as known_source,
        coalesce(
            epoch(report."at" - invocations.first_at), (report.report_no - 1) * invocations.usual_s
        ) as offset_s

    from log.iostat_mark as report

    left join invocations
        on
            report.file_id = invocations.file_id
            and report.invocation_no = invocations.invocation_no
            and report.section is not distinct from invocations.section

    left join derived
        on report.file_id = derived.file_id and report.invocation_no = derived.invocation_no

    where report.line_no = report.report_line

),

long_runs as (

    select
        configuration,
        list(run_hour order by start_at, run) as stretches

    from run_hour

    where hour is null

    group by configuration

),

files as materialized (  -- with a list, and for itself: of two joins by time one holds all reports in memory

    select source_file.*, long_runs.stretches

    from source_file

    left join long_runs using (configuration)

)

select
    files.configuration,
    coalesce(
        files.run,
        [each.run for each in files.stretches if is_within(offsets."at", each.start_at, each.end_at)][1],
        run_hour.run
    ) as run,
    short_host(files.node) as node,
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

inner join files using (file_id)

left join run_hour
    on files.run is null and is_in_run_hour(files.configuration, offsets."at", run_hour)

order by offsets.file_id, offsets.report_line
