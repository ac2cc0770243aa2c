-- One row per configuration and rate whose runs have a course (`measurement_series`): whether the first quarter of the
-- runs differs from the rest. Per run the logarithm of the first quarter's mean over that of the rest; Student's t
-- over the runs, so that neighbours in a series may be alike. Series of at least twelve points without a point at
-- zero, of runs without a fault in their time.
-- materialised: small, and slow to plan
-- from: measurement_series by configuration, metric, unit, label, clients; of value
-- columns:
--   metric: rate
--   runs: runs, at least three
--   first_s: length of the first quarter, seconds, at the longest
--   change_pct: how far the first quarter lies from the rest, percent; negative: below
--   agreeing: runs whose first quarter lies on the same side
--   p_value: two-sided p of the t test over runs
--   p_holm: after Holm's correction over all rows
--   is_noticed: p_holm below 0.01, 2 % or more, and so in at least three of four runs
with

points as (

    select
        series.configuration, series.run, series.metric, series.unit, series.label, series.clients, series.series_no,
        series.value,
        series.offset_s - min(series.offset_s) over whole as since_s,
        max(series.offset_s) over whole - min(series.offset_s) over whole as length_s,
        count(*) over whole as point_count,
        min(series.value) over whole as least_value

    from measurement_series as series

    inner join run_time
        on series.configuration = run_time.configuration and series.run = run_time.run and run_time.is_counted

    where
        series.unit in ('1/s', '1/min', '1/h')
        and not series.is_repeated
        and series.offset_s is not null
        and run_time.source is distinct from 'fault'

    window whole as (
        partition by series.configuration, series.run, series.metric, series.unit, series.label, series.clients, series.series_no
    )

),

per_run as (

    select
        configuration, run, metric, unit, label, clients,
        any_value(length_s) / 4 as first_s,
        ln(
            favg(value order by since_s, value) filter (where since_s < length_s / 4)
            / favg(value order by since_s, value) filter (where since_s >= length_s / 4)
        ) as change

    from points

    where point_count >= 12 and least_value > 0

    group by configuration, run, metric, unit, label, clients, series_no

),

runs as (  -- several series of a run count as one

    select configuration, run, metric, unit, label, clients, max(first_s) as first_s, favg(change order by change) as change

    from per_run

    group by configuration, run, metric, unit, label, clients

),

tests as (

    select
        configuration, metric, unit, label, clients,
        count(*) as runs,
        max(first_s) as first_s,
        100 * (exp(favg(change order by run, change)) - 1) as change_pct,
        greatest(count(*) filter (where change < 0), count(*) filter (where change > 0)) as agreeing,
        favg(change order by run, change) / greatest(stddev_samp(change order by run, change) / sqrt(count(*)), 1e-9) as t_value

    from runs

    group by configuration, metric, unit, label, clients

    having count(*) >= 3

),

normal_values as (  -- a step of its own: a macro repeats its arguments, and these macros repeat each other

    select *, abs(student_z(t_value, runs - 1)) as z

    from tests

),

ranked as (

    select
        *,
        2 * normal_tail(z) as p_value,
        count(*) over () as tests,
        row_number() over (order by p_value, configuration, metric, unit, label, clients) as rank

    from normal_values

),

corrected as (

    select *, max(least(1, (tests - rank + 1) * p_value)) over (order by rank rows unbounded preceding) as p_holm

    from ranked

)

select
    configuration, metric, unit, label, clients, runs, first_s, change_pct, agreeing, p_value, p_holm,
    p_holm < 0.01 and abs(change_pct) >= 2 and 4 * agreeing >= 3 * runs as is_noticed

from corrected

order by configuration, metric, unit, label, clients
