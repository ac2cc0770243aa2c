-- One row per series of a rate and event in its time: how far the rate fell, how long nothing ran, when it was back.
-- The event is the run's fault, an event of study.toml, or, without either, the first interval of the series without any work. An interval
-- that is missing between two others, or before the end that was ordered, counts as one without work. Nothing is known more finely than resolution_s.
-- Back is a rate of 90 % of the one before, or of `recovered_pct` of study.toml. Where nothing ran for a time after a fault, that is the dip,
-- with what led to it, and no unsteady interval earlier on.
-- from: measurement_series by configuration, run, metric, unit, series_no
-- columns:
--   unit: unit of the rate
--   series_no: number of the series among those of its run and metric
--   event: fault, event (of study.toml) or series (the first interval without work)
--   text: text of the event of study.toml
--   event_at: time of the event, UTC; null where the series has no clock
--   event_s: the same in seconds since the series began
--   resolution_s: longest interval of the series, seconds: how finely the times below are known
--   baseline: median of the intervals that ended before the event
--   baseline_intervals: how many they are
--   dip_s: from the event to the begin of the first interval below the share, seconds; null without a dip
--   lowest: lowest rate between event and recovery
--   depth_pct: how far that is below the baseline, percent of it
--   outage_s: length of the first stretch of intervals without work after the event, seconds; 0 if there is none; null
--     where the series ends before a whole interval after the event
--   recovered_s: from the event to the begin of the first interval back at the share, seconds; null if there is none, or no dip
--   is_recovered: the series shows that; false: dip and loss are those up to its end; null without a dip
--   recovered_pct: the share of the baseline at which the rate counts as back, percent
--   lost: work that the baseline would have done and the rate did not, from the event to recovery: transactions, queries
--   file_id: file of the first interval without work, else of the lowest
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

    select *, offset_s - lag(offset_s) over (
        partition by configuration, run, metric, series_no order by offset_s, point_no
    ) as step_s

    from rates

),

intervals as (

    select
        *,
        min(epoch_us("at") - 1000000 * offset_s) over series as origin_us,
        coalesce(interval_s, median(step_s) over series) as length_s,
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
        length_s, file_id, line_no, false as is_missing

    from followed

    union all

    select
        followed.configuration, followed.run, followed.metric, followed.unit, followed.label, followed.clients,
        followed.series_no, followed.is_repeated, followed.origin_us, followed.end_s, coalesce(followed.next_s, ordered_ends.duration_s), 0,
        followed.length_s, followed.file_id, followed.line_no, true

    from followed

    left join ordered_ends
        on
            followed.next_s is null
            and followed."at" is null
            and followed.file_id = ordered_ends.file_id
            and followed.clients is not distinct from ordered_ends.clients

    where coalesce(followed.next_s, ordered_ends.duration_s) - followed.end_s > 0.5 * followed.length_s

),

series as (

    select
        configuration,
        run,
        metric,
        unit,
        label,
        clients,
        series_no,
        any_value(origin_us) as origin_us,
        bool_or(is_repeated) as is_repeated,
        min(start_s) as start_s,
        max(end_s) as end_s,
        max(length_s) as resolution_s,
        min(start_s) filter (where value = 0) as first_idle_s

    from cells

    group by configuration, run, metric, unit, label, clients, series_no

),

instants as (

    select configuration, run, 'fault' as event, null::varchar as text, fault_at as event_at

    from run

    where fault_at is not null

    union all

    select run.configuration, run.run, 'event', noted.text, noted."at"

    from study.event as noted

    inner join run
        on
            (noted.configuration is null or noted.configuration = run.configuration)
            and (noted.run is null or same_run(noted.run, run.run))

),

placed as (

    select
        series.*,
        instants.event,
        instants.text,
        instants.event_at,
        (epoch_us(instants.event_at) - series.origin_us) / 1000000 as event_s

    from series

    inner join instants
        on series.configuration = instants.configuration and series.run = instants.run

    where
        series.origin_us is not null
        and (epoch_us(instants.event_at) - series.origin_us) / 1000000 between series.start_s and series.end_s

),

watched as (

    select * from placed

    union all

    select
        series.*,
        'series',
        null,
        make_timestamp((series.origin_us + 1000000 * series.first_idle_s)::bigint),
        series.first_idle_s

    from series

    anti join placed using (configuration, run, metric, series_no)

    where series.first_idle_s > series.start_s

),

share as (

    select coalesce(any_value(recovered_pct), 90) as recovered_pct from study.setting

),

baselines as (

    select
        watched.*,
        row_number() over (
            order by watched.configuration, watched.run, watched.metric, watched.series_no, watched.event_s, watched.event
        ) as dip_no,
        normal.baseline,
        normal.baseline_intervals

    from watched

    inner join lateral (
        select median(cells.value) as baseline, count(*) as baseline_intervals

        from cells

        where
            cells.configuration = watched.configuration
            and cells.run = watched.run
            and cells.metric = watched.metric
            and cells.series_no = watched.series_no
            and cells.end_s <= watched.event_s
    ) as normal
        on normal.baseline > 0

),

after as (

    select
        baselines.dip_no,
        baselines.event_s,
        baselines.baseline,
        baselines.event,
        cells.start_s,
        cells.end_s,
        cells.value,
        cells.file_id,
        cells.line_no,
        cells.value < share.recovered_pct / 100 * baselines.baseline as is_low,
        cells.value = 0 as is_idle

    from baselines

    cross join share

    inner join cells
        on
            baselines.configuration = cells.configuration
            and baselines.run = cells.run
            and baselines.metric = cells.metric
            and baselines.series_no = cells.series_no
            and cells.end_s > baselines.event_s

),

marked as (

    select
        *,
        min(start_s) filter (where is_idle and event = 'fault') over (partition by dip_no) as idle_s,
        sum(case when not is_idle then 1 else 0 end) over (partition by dip_no order by start_s) as stretch

    from after

),

falls as (  -- without work for a time: from the last interval at the share before that on

    select
        dip_no,
        min(start_s) filter (where is_low and start_s > coalesce(steady_s, start_s - 1)) as low_s

    from (
        select *, max(start_s) filter (where not is_low and start_s < idle_s) over (partition by dip_no) as steady_s

        from marked
    )

    group by dip_no

),

recoveries as (

    select
        falls.dip_no,
        falls.low_s,
        min(marked.start_s) filter (where not marked.is_low and marked.start_s > falls.low_s) as back_s

    from falls

    inner join marked
        on falls.dip_no = marked.dip_no

    group by falls.dip_no, falls.low_s

),

losses as (

    select
        marked.dip_no,
        min(marked.value) as lowest,
        fsum(
            (marked.baseline - marked.value) * (marked.end_s - greatest(marked.start_s, marked.event_s))
            order by marked.start_s, marked.end_s, marked.value
        ) as lost,
        first(marked.file_id order by marked.value, marked.start_s) as file_id,
        first(marked.line_no order by marked.value, marked.start_s) as line_no

    from marked

    inner join recoveries
        on marked.dip_no = recoveries.dip_no

    where recoveries.low_s is not null and (recoveries.back_s is null or marked.start_s < recoveries.back_s)

    group by marked.dip_no

),

outages as (

    select
        dip_no,
        fsum(end_s - greatest(start_s, event_s) order by end_s - greatest(start_s, event_s)) as outage_s

    from marked

    where is_idle

    group by dip_no, stretch

    qualify row_number() over (partition by dip_no order by stretch) = 1

)

select
    baselines.configuration,
    baselines.run,
    baselines.metric,
    baselines.unit,
    baselines.label,
    baselines.clients,
    baselines.series_no,
    baselines.is_repeated,
    baselines.event,
    baselines.text,
    baselines.event_at,
    baselines.event_s,
    baselines.resolution_s,
    baselines.baseline,
    baselines.baseline_intervals,
    case when recoveries.low_s is not null then greatest(recoveries.low_s - baselines.event_s, 0) end as dip_s,
    losses.lowest,
    100 * (1 - losses.lowest / baselines.baseline) as depth_pct,
    coalesce(
        outages.outage_s,
        case when baselines.end_s - baselines.event_s >= baselines.resolution_s then 0 end
    ) as outage_s,
    recoveries.back_s - baselines.event_s as recovered_s,
    case when recoveries.low_s is not null then recoveries.back_s is not null end as is_recovered,
    share.recovered_pct,
    losses.lost / case baselines.unit when '1/s' then 1 when '1/min' then 60 else 3600 end as lost,
    losses.file_id,
    losses.line_no

from baselines

cross join share

left join recoveries using (dip_no)

left join losses using (dip_no)

left join outages using (dip_no)

order by baselines.dip_no
