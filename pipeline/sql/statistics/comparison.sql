-- One row per milestone, phase, measurement and metric of a disk that a configuration and its reference, named or
-- proposed, both have: difference, ratio, verdict. `mean_comparison` without the references' own rows, with the
-- spreads and with what it would take to be sure. margin_runs rests on means, spreads and common errors staying as
-- they are: t * sqrt((cv_a^2 + cv_b^2) / n) beside the common error, which no further run makes less, Welch's degrees
-- of freedom, t linear in 1/df, up to 1000.
-- materialised: read by several tables of the report, and costly where there is a margin
-- empty without rows of: mean_comparison where configuration <> reference
-- from: sample_stats by subject, item, unit, label, clients, configuration; of mean; except reference_mean, reference_runs, reference
-- from: sample_stats by subject, item, unit, label, clients, reference as configuration; of mean; except mean, runs, configuration
-- columns:
--   reference_stddev: sample standard deviation of the reference
--   difference_ci95_low: lower end of the 95 % interval of the difference; null below three runs on either side
--   ratio: mean over reference mean; null where a mean is not above zero
--   ratio_ci95_low: lower end of the 95 % interval of the ratio; null below three runs on either side
--   p_value: raw two-sided p of Welch's t test
--   p_holm: p after Holm's correction over all comparisons of the subject
--   is_different: a difference is shown
--   is_equivalent: the whole interval lies inside the margin of study.toml
--   is_decided: either of them
--   is_beyond_margin: the whole interval lies outside the margin
--   cv: standard deviation over mean, no less than one run's uncertainty over it
--   reference_cv: the same of the reference
--   common_ratio_error: half width of the error of the ratio's logarithm that does not average out
--   margin_runs: least runs of each side for an interval inside the margin; null without a margin or a spread, or
--     where no number would do
with

compared as (

    select
        mean_comparison.*,
        here.stddev,
        there.stddev as reference_stddev,
        setting.margin_pct / 100 as margin,
        case when mean_comparison.mean > 0 then greatest(here.stddev, here.uncertainty) / mean_comparison.mean end as cv,
        case
            when mean_comparison.reference_mean > 0
                then greatest(there.stddev, there.uncertainty) / mean_comparison.reference_mean
        end as reference_cv

    from mean_comparison

    inner join sample_stats as here
        on
            is_same_item(mean_comparison, here)
            and mean_comparison.configuration = here.configuration

    inner join sample_stats as there
        on
            is_same_item(mean_comparison, there)
            and mean_comparison.reference = there.configuration

    cross join study.setting as setting

    where mean_comparison.configuration <> mean_comparison.reference

),

rooms as (  -- how far the ratio is from the nearer end of the margin, on the scale of logarithms

    select
        *,
        row_number() over () as place,
        case when margin > 0 and margin < 1 then least(ln(1 + margin) - ln(ratio), ln(ratio) - ln(1 - margin)) end as margin_room,
        -- what the common error leaves of it to the spread
        case when margin_room > common_ratio_error then sqrt(margin_room ^ 2 - common_ratio_error ^ 2) end as room

    from compared

),

freedoms as (

    select
        rooms.place,
        rooms.room,
        series.n,
        sqrt((rooms.cv ^ 2 + rooms.reference_cv ^ 2) / series.n) as stderr,
        (series.n - 1) * (rooms.cv ^ 2 + rooms.reference_cv ^ 2) ^ 2 / (rooms.cv ^ 4 + rooms.reference_cv ^ 4) as df

    from rooms

    cross join range(3, 1001) as series (n)

    where rooms.room > 0 and rooms.cv + rooms.reference_cv > 0

),

enough as (

    select freedoms.place, min(freedoms.n) as margin_runs

    from freedoms

    inner join t_quantile as lower_t
        on lower_t.df = least(floor(freedoms.df), 200) and lower_t.level = 0.95

    inner join t_quantile as upper_t
        on upper_t.df = least(floor(freedoms.df), 199) + 1 and upper_t.level = 0.95

    -- the quantile is linear in 1/df between whole degrees of freedom; beyond 200 it tends to the normal quantile
    where
        freedoms.stderr * case
            when freedoms.df >= 200 then 1.959963984540054 + (lower_t.t - 1.959963984540054) * 200 / freedoms.df
            else
                upper_t.t
                + (lower_t.t - upper_t.t) * (1 / freedoms.df - 1 / upper_t.df) / (1 / lower_t.df - 1 / upper_t.df)
        end <= freedoms.room

    group by freedoms.place

)

select
    rooms.configuration,
    rooms.reference,
    rooms.is_proposed,
    rooms.subject, rooms.item, rooms.unit, rooms.label, rooms.clients, rooms.runs,
    rooms.mean,
    rooms.stddev,
    rooms.reference_runs,
    rooms.reference_mean,
    rooms.reference_stddev,
    rooms.difference,
    rooms.difference_ci95_low,
    rooms.difference_ci95_high,
    rooms.ratio,
    rooms.ratio_ci95_low,
    rooms.ratio_ci95_high,
    rooms.p_value,
    rooms.p_holm,
    rooms.comparisons,
    rooms.verdict,
    (rooms.ratio_ci95_low > 1 or rooms.ratio_ci95_high < 1) and rooms.p_holm < 0.05 as is_different,
    rooms.margin > 0
    and rooms.ratio_ci95_low < rooms.ratio_ci95_high
    and greatest(abs(rooms.ratio_ci95_low - 1), abs(rooms.ratio_ci95_high - 1)) <= rooms.margin as is_equivalent,
    coalesce(is_different, false) or coalesce(is_equivalent, false) as is_decided,
    rooms.margin > 0 and (rooms.ratio_ci95_low > 1 + rooms.margin or rooms.ratio_ci95_high < 1 - rooms.margin) as is_beyond_margin,
    rooms.cv,
    rooms.reference_cv,
    rooms.common_ratio_error,
    enough.margin_runs

from rooms

left join enough using (place)

left join configuration_order using (configuration)

order by rooms.subject, natural_order(rooms.item), rooms.item, rooms.unit, rooms.label, rooms.clients, configuration_order.position
