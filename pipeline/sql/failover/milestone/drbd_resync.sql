-- One row per resynchronisation of a DRBD device, as one host logged it: begin paired with its end. Times in UTC.
-- Devices are resynchronised in parallel, so the rows overlap and are never added up. The duration is taken from
-- kernel uptime where both lines have it (microseconds), else from the stamps; DRBD's own figure is in whole seconds,
-- at least 1.
-- columns:
--   device: device, or resource where the line names none
--   side: SyncSource or SyncTarget
--   start_at: begin; null for undated lines
--   end_at: end; null where none was logged
--   duration_source: uptime, stamps
--   resolution_s: how fine the duration is, seconds
--   reported_s: duration as DRBD gives it, whole seconds
--   size_kib: KiB that were out of step
--   rate_kib_per_s: size over duration
--   start_file_id: file of the begin
--   start_line_no: line of the begin
--   file_id: file of the end, else of the begin
--   line_no: line of the end, else of the begin
with

lines as (

    select
        *,
        row_number() over (
            partition by file_id, coalesce(node, ''), object order by line_no, part
        ) as line_rank

    from ha_event

    where stack = 'drbd' and kind in ('resync_start', 'resync_done')

),

pairs as (

    select
        starts.configuration,
        starts.run,
        starts.node,
        starts.object as device,
        starts.action as side,
        starts."at" as start_at,
        ends."at" as end_at,
        starts.uptime_s as start_uptime_s,
        ends.uptime_s as end_uptime_s,
        starts.value as size_kib,
        ends.value as reported_s,
        starts.file_id as start_file_id,
        starts.line_no as start_line_no,
        coalesce(ends.file_id, starts.file_id) as file_id,
        coalesce(ends.line_no, starts.line_no) as line_no

    from lines as starts

    left join lines as ends
        on
            starts.file_id = ends.file_id
            and starts.node is not distinct from ends.node
            and starts.object = ends.object
            and starts.line_rank + 1 = ends.line_rank
            and ends.kind = 'resync_done'

    where starts.kind = 'resync_start'

),

timed as (

    select
        pairs.* exclude (start_uptime_s, end_uptime_s),
        pairs.end_uptime_s - pairs.start_uptime_s as uptime_span_s,
        (epoch_us(pairs.end_at) - epoch_us(pairs.start_at)) / 1000000 as stamp_span_s,
        stamp_resolution.resolution_s

    from pairs

    left join stamp_resolution using (file_id)

)

select
    configuration,
    run,
    node,
    device,
    side,
    start_at,
    end_at,
    round(coalesce(uptime_span_s, stamp_span_s), 6) as duration_s,
    case when uptime_span_s is not null then 'uptime' when stamp_span_s is not null then 'stamps' end as duration_source,
    case when uptime_span_s is not null then 0.000001 when stamp_span_s is not null then resolution_s end as resolution_s,
    reported_s,
    size_kib,
    size_kib / nullif(round(coalesce(uptime_span_s, stamp_span_s), 6), 0) as rate_kib_per_s,
    start_file_id,
    start_line_no,
    file_id,
    line_no

from timed

order by configuration, run, start_file_id, start_line_no
