-- One row per point of a run's time series of a metric. Parts of a point that several threads' files or lines hold are
-- joined: rates and counts are added, means are weighted by transactions, and a standard deviation is that of all of
-- them. A start of a program that follows, in the same file and run, on one that was lost or never came to its result
-- continues that one's series, if the points tell their time: between them nothing was done.
-- materialised: read by the dips, and joined from parts
-- columns:
--   configuration: folder group, else as the file names it
--   at: time, UTC; null where the series has no clock
--   offset_s: seconds since the series began: as printed, else since its first point
--   source: format of the file
--   series_no: number of the series among those of its run and metric, from 1
--   summary_no: number of the summary in its file that the point belongs to; null for a series of several files
--   interval_s: length of the interval that the value stands for, seconds
--   is_repeated: from the logs of a program's threads, while the run has its progress too
with

points as (

    select
        place.configuration,
        coalesce(
            case when place.is_in_folder or place.named_run is not null then place.run end,
            long_run.run,
            run_hour.run,
            place.run
        ) as run,
        point.*,
        source_file.format as source

    from log.measurement_point as point

    inner join source_file using (file_id)

    inner join measurement_place as place
        on
            point.file_id = place.file_id
            and point.summary_no is not distinct from place.summary_no
            and point.configuration is not distinct from place.named_configuration
            and point.run is not distinct from place.named_run
            and point.label is not distinct from place.label
            and point.clients is not distinct from place.clients

    left join run_hour as long_run
        on
            source_file.run is null
            and long_run.start_at is not null
            and is_in_long_run(place.configuration, point."at", long_run)

    left join run_hour
        on source_file.run is null and is_in_run_hour(place.configuration, point."at", run_hour)

),

means as (

    select file_id, line_no, value as mean from points where weight is not null and metric = 'latency_avg_ms'

),

parts as (

    select points.*, means.mean

    from points

    left join means
        on points.file_id = means.file_id and points.line_no = means.line_no and points.metric = 'latency_stddev_ms'

    where points.weight is not null

),

joined as (

    select
        configuration,
        run,
        metric,
        unit,
        "at",
        offset_s,
        case  -- in the order of the lines, as the last digit of a sum depends on it
            when unit in ('1/s', '1/min', 'count') then fsum(value order by file_id, line_no, part)
            when metric = 'latency_stddev_ms'
                then sqrt(greatest(
                    fsum((value ^ 2 + mean ^ 2) * weight order by file_id, line_no, part)
                    / nullif(fsum(weight order by file_id, line_no, part), 0)
                    - (
                        fsum(mean * weight order by file_id, line_no, part)
                        / nullif(fsum(weight order by file_id, line_no, part), 0)
                    ) ^ 2,
                    0
                ))
            else
                fsum(value * weight order by file_id, line_no, part)
                / nullif(fsum(weight order by file_id, line_no, part), 0)
        end as value,
        first(file_id order by file_id, line_no) as file_id,
        first(line_no order by file_id, line_no) as line_no,
        first(part order by file_id, line_no) as part,
        source,
        label,
        clients,
        min(interval_s) as interval_s,
        bool_and(is_interval_end) as is_interval_end

    from parts

    group by configuration, run, metric, unit, "at", offset_s, source, label, clients

),

ends as (  -- summaries of a file that a valid result closes

    select distinct file_id, summary_no from log.measurement_value where is_valid and summary_no is not null

),

starts as (  -- the starts that one series is made of share their number

    select
        held.file_id,
        held.summary_no,
        count(ends.summary_no) as start_no

    from (select distinct file_id, summary_no from points where weight is null) as held

    left join ends
        on held.file_id = ends.file_id and held.summary_no > ends.summary_no

    group by held.file_id, held.summary_no

),

all_points as (

    select
        configuration, run, metric, unit, "at", offset_s, value, file_id, line_no, part, source, label,
        clients, null::integer as summary_no, null::integer as series_file_id, null::bigint as start_no, interval_s,
        is_interval_end

    from joined

    union all

    select
        points.configuration, points.run, points.metric, points.unit, points."at", points.offset_s, points.value,
        points.file_id, points.line_no, points.part, points.source, points.label,
        -- a start without a result does not print its load
        coalesce(points.clients, max(points.clients) over series),
        points.summary_no, points.file_id, points.start_no, points.interval_s, points.is_interval_end

    from (
        select
            points.*,
            case when points."at" is not null and points.offset_s is null then starts.start_no else points.summary_no end
                as start_no

        from points

        left join starts
            on points.file_id = starts.file_id and points.summary_no is not distinct from starts.summary_no

        where points.weight is null
    ) as points

    window series as (
        partition by
            points.configuration, points.run, points.metric, points.unit, points.source, points.label, points.file_id,
            points.start_no
    )

)

select
    configuration,
    run,
    metric,
    unit,
    "at",
    coalesce(
        offset_s,
        (epoch_us("at") - min(epoch_us("at")) over (
            partition by configuration, run, metric, unit, source, label, clients, series_file_id, start_no
        )) / 1000000
    ) as offset_s,
    value,
    file_id,
    line_no,
    part,
    source,
    label,
    clients,
    dense_rank() over (
        partition by configuration, run, metric, unit
        order by source, label, clients, series_file_id, start_no
    ) as series_no,
    summary_no,
    interval_s,
    is_interval_end,
    summary_no is null
    and bool_or(summary_no is not null and "at" is not null) over (partition by configuration, run, metric, source)
        as is_repeated

from all_points

order by configuration, run, metric, series_no, "at", offset_s, file_id, line_no, part
