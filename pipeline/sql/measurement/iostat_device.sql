-- One row per report and device of iostat, sar -d or sadf, in canonical units. Null: the tool does not print it. What
-- follows exactly from printed columns is filled in and named in `derived`. Devices are never added up here: a
-- partition, a group, and a DRBD device over its disk carry the same requests.
-- columns:
--   run: run folder, else the run in whose time the report lies; null outside of all
--   device: device, without /dev/
--   source: format of the file: iostat, iostat_json, sar, sadf
--   interval_s: seconds that the report covers
--   flags: doubts: first_seen (may hold totals since boot), truncated, elided, interleaved, counter_wrap, negative,
--     coarse (few digits), includes_discard, await_includes_discard, util_gt_100, util_zero_but_busy, aix_composed,
--     json_unit_fixed, nfs, gap, clock_step
--   derived: columns that were not printed and follow exactly from others
--   part: device within the line, from 1
with

calculated as (  -- what rows without these columns imply of them

    select
        device.*,
        device.rkb_total / report.interval_s as calculated_rkb_per_s,
        device.wkb_total / report.interval_s as calculated_wkb_per_s,
        coalesce(
            (device.r_per_s * device.r_await_ms + device.w_per_s * device.w_await_ms)
            / nullif(device.r_per_s + device.w_per_s, 0),
            device.wsvc_ms + device.svctm_ms
        ) as calculated_await_ms,
        device.rkb_per_s / nullif(device.r_per_s, 0) as calculated_rareq_kb,
        device.wkb_per_s / nullif(device.w_per_s, 0) as calculated_wareq_kb,
        (device.rkb_per_s + device.wkb_per_s) / nullif(device.r_per_s + device.w_per_s, 0) as calculated_areq_kb,
        device.wait_q + device.actv_q as calculated_aqu_sz,
        device.r_per_s + device.w_per_s + coalesce(device.d_per_s, 0) as calculated_tps,
        device.rkb_per_s + device.wkb_per_s + coalesce(device.dkb_per_s, 0) as calculated_tkb_per_s,
        report.*,
        report.flags as report_flags,
        report.report_line

    from log.iostat_device as device

    inner join log.iostat_mark as mark
        on device.file_id = mark.file_id and device.mark_line = mark.line_no

    inner join iostat_report as report
        on mark.file_id = report.file_id and mark.report_line = report.report_line

)

select
    device.configuration,
    device.run,
    device.node,
    device.device,
    device.report_no,
    device."at",
    device.offset_s,
    source_file.format as source,
    device.invocation_no,
    device.is_since_boot,
    device.interval_s,
    device.device_kind,
    device.parent_device,
    device.device_raw,
    device.r_per_s,
    device.w_per_s,
    device.d_per_s,
    device.f_per_s,
    coalesce(device.rkb_per_s, device.calculated_rkb_per_s) as rkb_per_s,
    coalesce(device.wkb_per_s, device.calculated_wkb_per_s) as wkb_per_s,
    device.dkb_per_s,
    device.rrqm_per_s,
    device.wrqm_per_s,
    device.drqm_per_s,
    device.r_await_ms,
    device.w_await_ms,
    device.d_await_ms,
    device.f_await_ms,
    coalesce(device.await_ms, device.calculated_await_ms) as await_ms,
    coalesce(device.rareq_kb, device.calculated_rareq_kb) as rareq_kb,
    coalesce(device.wareq_kb, device.calculated_wareq_kb) as wareq_kb,
    device.dareq_kb,
    coalesce(device.areq_kb, device.calculated_areq_kb) as areq_kb,
    coalesce(device.aqu_sz, device.calculated_aqu_sz) as aqu_sz,
    device.wait_q,
    device.actv_q,
    device.svctm_ms,
    device.wsvc_ms,
    device.util_pct,
    device.wait_pct,
    coalesce(device.tps, device.calculated_tps) as tps,
    coalesce(device.tkb_per_s, device.calculated_tkb_per_s) as tkb_per_s,
    device.rkb_total,
    device.wkb_total,
    device.dkb_total,
    device.raw,
    nullif(concat_ws(
        ', ',
        case
            when presence.first_report_no > 1 and device.report_no = presence.first_report_no then 'first_seen'
        end,
        device.flags,
        device.report_flags
    ), '') as flags,
    nullif(concat_ws(
        ', ',
        case when device.rkb_per_s is null and device.calculated_rkb_per_s is not null then 'rkb_per_s' end,
        case when device.wkb_per_s is null and device.calculated_wkb_per_s is not null then 'wkb_per_s' end,
        case when device.await_ms is null and device.calculated_await_ms is not null then 'await_ms' end,
        case when device.rareq_kb is null and device.calculated_rareq_kb is not null then 'rareq_kb' end,
        case when device.wareq_kb is null and device.calculated_wareq_kb is not null then 'wareq_kb' end,
        case when device.areq_kb is null and device.calculated_areq_kb is not null then 'areq_kb' end,
        case when device.aqu_sz is null and device.calculated_aqu_sz is not null then 'aqu_sz' end,
        case when device.tps is null and device.calculated_tps is not null then 'tps' end,
        case when device.tkb_per_s is null and device.calculated_tkb_per_s is not null then 'tkb_per_s' end
    ), '') as derived,
    device.file_id,
    device.line_no,
    device.part,
    device.report_line

from calculated as device

inner join source_file using (file_id)

left join iostat_device_presence as presence using (file_id, invocation_no, section, device)
