-- One row per configuration with a reference and thing measured: ratio of means, its interval, Welch's t test.
-- Interval: ratio * exp(+-t * sqrt(u + v)) with u and v the squared relative standard errors of both means and Welch's degrees of freedom;
-- t is linear in 1/df between whole degrees. The p value is Student's tail, integrated by the double exponential rule.
-- `milestone_change` and `measurement_ratio` print from this.
-- columns:
--   subject: milestone, phase (its duration) or measurement
--   item: milestone, phase or metric
--   unit: unit of the means
--   label: what was measured, for a measurement; a command, a transaction
--   clients: clients at work, for a measurement
--   configuration: folder group
--   reference: configuration it is compared with; itself in the reference's own row
--   runs: runs
--   mean: mean
--   reference_runs: runs of the reference
--   reference_mean: mean of the reference
--   difference: mean minus reference mean
--   difference_ci95_low: lower end of Welch's 95 % interval; null below three runs on either side and in the reference's own row
--   difference_ci95_high: upper end
--   ratio: mean over reference mean; exactly 1 in the reference's own row
--   ratio_ci95_low: lower end of the 95 % interval; null below three runs on either side and in the reference's own row
--   ratio_ci95_high: upper end
--   ratio_stderr: standard error of the ratio by the delta method; null below two runs on either side and in the reference's own row
--   df: Welch's degrees of freedom for the difference of means
--   p_value: raw two-sided p of Welch's t test; null below two runs on either side and in the reference's own row
--   p_holm: p after Holm's correction over all comparisons of the subject
--   comparisons: comparisons that were corrected for
--   verdict: in plain words, from the interval and p_holm
with

samples as (

    select
        'milestone' as subject,
        milestone as item,
        's' as unit,
        null::varchar as label,
        null::integer as clients,
        configuration,
        runs,
        mean_s as mean,
        stddev_s as stddev

    from milestone_stats

    union all

    select 'phase', phase, 's', null, null, configuration, runs, mean_duration_s, stddev_duration_s

    from phase_stats

    union all

    select 'measurement', metric, unit, label, clients, configuration, runs, mean, stddev

    from measurement_stats

    -- a count grows with the length of the run
    where unit is distinct from 'count'

),

pairs as (

    select
        here.subject,
        here.item,
        here.unit,
        here.label,
        here.clients,
        here.configuration,
        there.configuration as reference,
        here.configuration = there.configuration as is_own,
        here.runs,
        here.mean,
        here.stddev,
        there.runs as reference_runs,
        there.mean as reference_mean,
        there.stddev as reference_stddev,
        configuration_order.position

    from configuration_order

    inner join samples as here
        on configuration_order.configuration = here.configuration

    inner join samples as there
        on
            configuration_order.reference = there.configuration
            and here.subject = there.subject
            and here.item = there.item
            and here.unit is not distinct from there.unit
            and here.label is not distinct from there.label
            and here.clients is not distinct from there.clients

),

errors as (

    select
        *,
        stddev ^ 2 / runs as se2,
        reference_stddev ^ 2 / reference_runs as reference_se2,
        case when mean > 0 and reference_mean > 0 then stddev ^ 2 / (runs * mean ^ 2) end as u,
        case when mean > 0 and reference_mean > 0 then reference_stddev ^ 2 / (reference_runs * reference_mean ^ 2) end
            as v

    from pairs

),

freedoms as (

    select
        *,
        -- null without any spread
        (se2 + reference_se2) ^ 2
        / nullif(se2 ^ 2 / nullif(runs - 1, 0) + reference_se2 ^ 2 / nullif(reference_runs - 1, 0), 0) as df,
        (u + v) ^ 2 / nullif(u ^ 2 / nullif(runs - 1, 0) + v ^ 2 / nullif(reference_runs - 1, 0), 0) as ratio_df,
        abs(mean - reference_mean) / nullif(sqrt(se2 + reference_se2), 0) as t_value

    from errors

),

quantiles as (

    select
        freedoms.*,
        t_interpolated(freedoms.ratio_df, lower_t.t, upper_t.t) as t,
        t_interpolated(freedoms.df, lower_difference_t.t, upper_difference_t.t) as difference_t

    from freedoms

    left join t_quantile as lower_t
        on
            lower_t.df = least(greatest(floor(freedoms.ratio_df), 1), 200)
            and lower_t.level = 0.95

    left join t_quantile as upper_t
        on
            upper_t.df = least(greatest(floor(freedoms.ratio_df), 1), 199) + 1
            and upper_t.level = 0.95

    left join t_quantile as lower_difference_t
        on
            lower_difference_t.df = least(greatest(floor(freedoms.df), 1), 200)
            and lower_difference_t.level = 0.95

    left join t_quantile as upper_difference_t
        on
            upper_difference_t.df = least(greatest(floor(freedoms.df), 1), 199) + 1
            and upper_difference_t.level = 0.95

),

nodes as (  -- w runs from 0 to 1, ever more slowly at both ends

    select
        1 / (1 + exp(-pi() * sinh(node / 20.0))) as w,
        0.05 * pi() * cosh(node / 20.0) * exp(-pi() * sinh(node / 20.0))
        / (1 + exp(-pi() * sinh(node / 20.0))) ^ 2 as weight

    from range(-80, 81) as series (node)

),

tails as (  -- P(|T| > t) = integral of sin^(df-1) from 0 to atan(sqrt(df) / t), over that to pi/2

    select
        freedoms.subject,
        freedoms.item,
        freedoms.unit,
        freedoms.label,
        freedoms.clients,
        freedoms.configuration,
        least(
            1,
            fsum(
                nodes.weight
                * atan2(sqrt(freedoms.df), freedoms.t_value)
                * exp(
                    (freedoms.df - 1) * ln(sin(atan2(sqrt(freedoms.df), freedoms.t_value) * nodes.w))
                    + ln(2) + lgamma((freedoms.df + 1) / 2) - lgamma(freedoms.df / 2) - 0.5 * ln(pi())
                )
            )
        ) as p_value

    from freedoms

    cross join nodes

    where freedoms.df is not null and freedoms.t_value is not null and not freedoms.is_own

    group by
        freedoms.subject, freedoms.item, freedoms.unit, freedoms.label, freedoms.clients, freedoms.configuration

),

compared as (

    select
        quantiles.*,
        case
            when quantiles.is_own then 1
            when quantiles.mean > 0 and quantiles.reference_mean > 0 then quantiles.mean / quantiles.reference_mean
        end as ratio,
        case
            when quantiles.is_own or quantiles.runs < 3 or quantiles.reference_runs < 3 then null
            when quantiles.u + quantiles.v = 0 then 0
            else quantiles.t * sqrt(quantiles.u + quantiles.v)
        end as log_half_width,
        case
            when quantiles.is_own or quantiles.runs < 3 or quantiles.reference_runs < 3 then null
            when quantiles.se2 + quantiles.reference_se2 = 0 then 0
            else quantiles.difference_t * sqrt(quantiles.se2 + quantiles.reference_se2)
        end as difference_half_width,
        case
            when quantiles.is_own then null
            -- no spread on either side: any difference is beyond it
            when quantiles.se2 + quantiles.reference_se2 = 0 and quantiles.mean <> quantiles.reference_mean then 0
            else tails.p_value
        end as p_value

    from quantiles

    left join tails
        on
            quantiles.subject = tails.subject
            and quantiles.item = tails.item
            and quantiles.unit is not distinct from tails.unit
            and quantiles.label is not distinct from tails.label
            and quantiles.clients is not distinct from tails.clients
            and quantiles.configuration = tails.configuration

),

ranked as (

    select
        *,
        ratio * exp(-log_half_width) as ratio_ci95_low,
        ratio * exp(log_half_width) as ratio_ci95_high,
        count(p_value) over (partition by subject) as comparisons,
        row_number() over (
            partition by subject, p_value is null order by p_value, position, item, unit, label, clients
        ) as rank

    from compared

),

corrected as (

    select
        *,
        case
            when p_value is not null
                then max(least(1, (comparisons - rank + 1) * p_value)) over (
                    partition by subject, p_value is null order by rank rows unbounded preceding
                )
        end as p_holm

    from ranked

),

worded as (

    select
        corrected.*,
        coalesce(setting.margin_pct, 0) as margin_pct,
        100 * abs(ratio - 1) as change_pct,
        100 * least(abs(ratio_ci95_low - 1), abs(ratio_ci95_high - 1)) as near_pct,
        100 * greatest(abs(ratio_ci95_low - 1), abs(ratio_ci95_high - 1)) as far_pct,
        case when ratio < 1 then 'less' else 'more' end as direction,
        ratio_ci95_low > 1 or ratio_ci95_high < 1 as excludes_one

    from corrected

    left join study.setting as setting
        on true

)

select
    subject,
    item,
    unit,
    label,
    clients,
    configuration,
    reference,
    runs,
    mean,
    reference_runs,
    reference_mean,
    mean - reference_mean as difference,
    mean - reference_mean - difference_half_width as difference_ci95_low,
    mean - reference_mean + difference_half_width as difference_ci95_high,
    ratio,
    ratio_ci95_low,
    ratio_ci95_high,
    case when not is_own then ratio * sqrt(u + v) end as ratio_stderr,
    case when not is_own then df end as df,
    p_value,
    p_holm,
    comparisons,
    case
        when is_own then 'reference'
        when ratio is null then 'no ratio: a mean is not above zero'
        when ratio_ci95_low is null
            then format('{} {}; no interval with fewer than 3 runs', percent_text(change_pct), direction)
        -- equal stamps in every run leave a width of zero, which is no knowledge of the spread
        when ratio_ci95_low = ratio_ci95_high and ratio = 1
            then 'the same in every run; a difference below the stamps cannot be seen'
        when ratio_ci95_low = ratio_ci95_high
            then format('{} {}, the same in every run; a spread below the stamps cannot be seen',
                percent_text(change_pct), direction)
        when excludes_one and p_holm < 0.05
            then effect_text(change_pct, direction, near_pct, far_pct)
                || case when far_pct <= margin_pct then format(', inside the margin of {}', percent_text(margin_pct)) else '' end
        when margin_pct > 0 and far_pct <= margin_pct
            then format('equal within the margin of {}; differences above {} are ruled out',
                percent_text(margin_pct), percent_text(far_pct))
        when excludes_one
            then format(
                'no difference shown after correction for {} comparisons; differences above {} are ruled out',
                comparisons,
                percent_text(far_pct)
            )
        else format('no difference shown; differences above {} are ruled out', percent_text(far_pct))
    end as verdict

from worded

order by subject, position, item, unit, label, clients
