-- One row per interval of a series of a rate: what was done in it. Seconds since the series began. The length of an
-- interval is the step between stamps: the first one of a series that begins late is no longer than the others. An
-- interval that is missing between two others, or before the end that was ordered, is one without work.
-- materialised: a step reads it
-- from: measurement_series by configuration, run, metric, unit, series_no
-- columns:
--   unit: unit of the rate
--   series_no: number of the series among those of its run and metric
--   start_s: begin of the interval
--   end_s: its end
--   start_at: begin, UTC; null where the series has no clock
--   value: the rate
--   length_s: length of an interval of the series
--   file_id: file; of a missing interval that of the one before
with

rates as (

    select
        *,
        row_number() over (order by configuration, run, metric, series_no, offset_s, file_id, line_no, part) as point_no

    from measurement_series

    where
        unit in ('1/s', '1/min', '1/h')
        and metric in ('tps', 'tpm', 'tpmC', 'tpmTOTAL', 'nopm', 'qps', 'ops', 'events_per_second', 'events_per_hour')
        and offset_s is not null

),

stepped as (

    select
        *,
        offset_s - lag(offset_s) over (
            partition by configuration, run, metric, series_no order by offset_s, point_no
        ) as step_s

    from rates

),

intervals as (

    select
        *,
        min(epoch_us("at") - 1000000 * offset_s) over series as origin_us,
        case
            when step_s is null and interval_s > 1.5 * median(step_s) over series then median(step_s) over series
            else coalesce(interval_s, median(step_s) over series)
        end as length_s,
        case when is_interval_end then offset_s - length_s else offset_s end as start_s

    from stepped

    window series as (partition by configuration, run, metric, series_no)

    qualify length_s > 0

),

followed as (

    select
        *,
        start_s + length_s as end_s,
        lead(start_s) over (partition by configuration, run, metric, series_no order by start_s, point_no) as next_s

    from intervals

),

ordered_ends as (

    select file_id, clients, max(duration_s) as duration_s

    from log.measurement_value

    where duration_s is not null and not is_valid

    group by file_id, clients

),

cells as (

    select
        configuration, run, metric, unit, label, clients, series_no, is_repeated, origin_us, start_s, end_s, value,
        length_s, file_id, line_no

    from followed

    union all

    select
        followed.configuration, followed.run, followed.metric, followed.unit, followed.label, followed.clients,
        followed.series_no, followed.is_repeated, followed.origin_us, followed.end_s, coalesce(followed.next_s, ordered_ends.duration_s), 0,
        followed.length_s, followed.file_id, followed.line_no

    from followed

    left join ordered_ends
        on
            followed.next_s is null
            and followed."at" is null
            and followed.file_id = ordered_ends.file_id
            and followed.clients is not distinct from ordered_ends.clients

    where coalesce(followed.next_s, ordered_ends.duration_s) - followed.end_s > 0.5 * followed.length_s

)

select
    configuration, run, metric, unit, label, clients, series_no,
    bool_or(is_repeated) over series as is_repeated,
    make_timestamp((min(origin_us) over series + 1000000 * start_s)::bigint) as start_at,
    start_s,
    end_s,
    value,
    median(length_s) over series as length_s,
    file_id,
    line_no

from cells

window series as (partition by configuration, run, metric, series_no)

order by configuration, run, metric, series_no, start_s, end_s, value
