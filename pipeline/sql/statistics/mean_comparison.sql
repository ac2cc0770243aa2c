-- One row per configuration with a reference, named or proposed, and thing measured: ratio of means, its interval,
-- Welch's t test. Interval: ratio * exp(+-(t * sqrt(u + v) + c)) with u and v the squared relative standard errors of
-- both means, Welch's degrees of freedom, and c the error that all runs of a configuration share, relative. It cancels
-- as far as both have it from the same cause. p_value is Welch's of the means as they are. p_holm and the verdict take
-- c off the difference first: at that level its interval just touches zero. Where all runs of both sides are pairs
-- (`design.is_paired`), the standard errors are those of the differences within the pairs, with one degree of freedom
-- less than there are pairs.
-- materialised: read by every sentence about a difference
-- empty without rows of: sample_stats
-- `milestone_change` and `measurement_ratio` are its rows with a named reference.
-- from: sample_stats by subject, item, unit, label, clients, configuration; of mean; except reference_mean, reference_runs, reference
-- from: sample_stats by subject, item, unit, label, clients, reference as configuration; of mean; except mean, runs, configuration
-- columns:
--   label: what was measured; a command, a transaction, a disk
--   reference_mean: mean of the reference
--   difference: mean minus reference mean
--   common_error: half width of the error of the difference that does not average out
--   common_ratio_error: half width of that error on the logarithm of the ratio
--   difference_ci95_low: lower end of Welch's 95 % interval; null below three runs on either side and in the
--     reference's own row
--   ratio: mean over reference mean; exactly 1 in the reference's own row
--   ratio_ci95_low: lower end of the 95 % interval; null below three runs on either side and in the reference's own row
--   ratio_stderr: standard error of the ratio by the delta method; null below two runs on either side and in the
--     reference's own row
--   df: Welch's degrees of freedom for the difference of means
--   p_value: raw two-sided p of Welch's t test; null below two runs on either side and in the reference's own row
--   p_holm: p of the difference beyond the common error, after Holm's correction over all comparisons of the subject;
--     without a common error it is p_value that is corrected
--   comparisons: comparisons that were corrected for
--   verdict: in plain words, from the interval and p_holm
--   method: Welch, or paired
with recursive

samples as (  -- a count grows with the length of the run

    select * from sample_stats where unit is distinct from 'count'

),

pairs as (

    select
        here.subject, here.item, here.unit, here.label, here.clients, here.configuration,
        there.configuration as reference,
        here.configuration = there.configuration as is_own,
        here.runs,
        here.mean,
        here.known_stddev as stddev,
        here.uncertainty,
        there.uncertainty as reference_uncertainty,
        coalesce(here.stddev > 0 or there.stddev > 0, true) as has_spread,
        case
            when here.common_cause = there.common_cause then abs(here.common_error - there.common_error)
            else sqrt(here.common_error ^ 2 + there.common_error ^ 2)
        end as common_error,
        case
            when here.mean <= 0 or there.mean <= 0 then null
            when here.common_cause = there.common_cause
                then abs(here.common_error / here.mean - there.common_error / there.mean)
            else sqrt((here.common_error / here.mean) ^ 2 + (there.common_error / there.mean) ^ 2)
        end as common_ratio_error,
        there.runs as reference_runs,
        there.mean as reference_mean,
        there.known_stddev as reference_stddev,
        comparison_pair.position,
        comparison_pair.is_proposed

    from comparison_pair

    inner join samples as here using (configuration)

    inner join samples as there
        on
            comparison_pair.reference = there.configuration
            and is_same_item(here, there)

),

errors as (

    select
        sides.*,
        sides.stddev ^ 2 / sides.runs as se2,
        sides.reference_stddev ^ 2 / sides.reference_runs as reference_se2,
        sides.mean > 0 and sides.reference_mean > 0 as has_ratio,
        case when has_ratio then sides.stddev ^ 2 / (sides.runs * sides.mean ^ 2) end as u,
        case when has_ratio then sides.reference_stddev ^ 2 / (sides.reference_runs * sides.reference_mean ^ 2) end as v,
        paired.pairs,
        paired.difference_stddev ^ 2 as pair_variance,
        paired.log_ratio_stddev ^ 2 as pair_log_variance

    from pairs as sides

    left join paired_comparison as paired
        on
            is_same_item(sides, paired)
            and sides.configuration = paired.configuration
            and sides.reference = paired.reference
            and sides.runs = paired.pairs
            and sides.reference_runs = paired.pairs

),

freedoms as (

    select
        *,
        -- errors of measurement differ within a pair
        case
            when pairs is not null then greatest(pair_variance, uncertainty ^ 2 + reference_uncertainty ^ 2) / pairs
            else se2 + reference_se2
        end as difference_se2,
        case
            when pairs is not null and pair_log_variance is not null
                then greatest(pair_log_variance, (uncertainty / mean) ^ 2 + (reference_uncertainty / reference_mean) ^ 2) / pairs
            else u + v
        end as ratio_se2,
        -- null without any spread
        case
            when pairs is not null then pairs - 1
            else (se2 + reference_se2) ^ 2
                / nullif(se2 ^ 2 / nullif(runs - 1, 0) + reference_se2 ^ 2 / nullif(reference_runs - 1, 0), 0)
        end as df,
        case
            when pairs is not null and pair_log_variance is not null then pairs - 1
            else (u + v) ^ 2 / nullif(u ^ 2 / nullif(runs - 1, 0) + v ^ 2 / nullif(reference_runs - 1, 0), 0)
        end as ratio_df,
        abs(mean - reference_mean) / nullif(sqrt(difference_se2), 0) as t_value,
        -- that of the level at which the interval of the difference just touches zero
        greatest(abs(mean - reference_mean) - common_error, 0) / nullif(sqrt(difference_se2), 0) as interval_t,
        not is_own and runs >= 3 and reference_runs >= 3 as has_interval

    from errors

),

quantiles as (  -- by Newton's rule, from the expansion in 1/df (Abramowitz and Stegun 26.7.5)

    select
        df,
        1.959963984540054 + 2.372271226 / df + 2.8224986 / df ^ 2 + 2.5558498 / df ^ 3 + 1.5895 / df ^ 4 as t,
        0 as step

    from (
        select df from freedoms where has_interval and df is not null
        union
        select ratio_df from freedoms where has_interval and ratio_df is not null
    )

    union all

    select df, student_tail_step(t, df, 0.05), step + 1 from quantiles where step < 6

),

compared as (

    select
        freedoms.*,
        case when is_own then 1 when has_ratio then mean / reference_mean end as ratio,
        case when has_interval then coalesce(ratio_quantile.t * sqrt(ratio_se2), 0) + common_ratio_error end as log_half_width,
        case when has_interval then coalesce(difference_quantile.t * sqrt(difference_se2), 0) + common_error end
            as difference_half_width,
        case
            when is_own then null
            -- neither spread nor error on either side: any difference is beyond it
            when difference_se2 = 0 then case when mean = reference_mean then 1 else 0 end
            when t_value is not null and freedoms.df is not null then least(1, student_tail(t_value, freedoms.df))
        end as p_value,
        case
            when is_own then null
            when difference_se2 = 0 then case when abs(mean - reference_mean) > common_error then 0 else 1 end
            when interval_t is not null and freedoms.df is not null then least(1, student_tail(interval_t, freedoms.df))
        end as interval_p

    from freedoms

    left join quantiles as ratio_quantile on ratio_df = ratio_quantile.df and ratio_quantile.step = 6

    left join quantiles as difference_quantile on freedoms.df = difference_quantile.df and difference_quantile.step = 6

),

ranked as (

    select
        *,
        ratio * exp(-log_half_width) as ratio_ci95_low,
        ratio * exp(log_half_width) as ratio_ci95_high,
        count(interval_p) over (partition by subject) as comparisons,
        row_number() over (
            partition by subject, interval_p is null order by interval_p, position, item, unit, label, clients
        ) as rank

    from compared

),

corrected as (

    select
        *,
        case
            when interval_p is not null
                then max(least(1, (comparisons - rank + 1) * interval_p)) over (
                    partition by subject, interval_p is null order by rank rows unbounded preceding
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
        case when subject in ('measurement', 'disk') then 'as much' else 'as long' end as many,
        ratio_ci95_low > 1 or ratio_ci95_high < 1 as excludes_one,
        case
            when far_pct <= 50 then format('differences above {} are ruled out', percent_bound(far_pct))
            when ratio_ci95_low > 1 or ratio_ci95_high < 1
                then format('inconclusive: anything from {} to {} {}', percent_text(near_pct), percent_bound(far_pct), direction)
            -- far apart, the two sides differ: nothing can be more than 100 % less
            else format('inconclusive: anything from {} less to {} more',
                percent_bound(100 * (1 - ratio_ci95_low)), percent_bound(100 * (ratio_ci95_high - 1)))
        end as ruled_out

    from corrected

    left join study.setting as setting
        on true

)

select
    subject, item, unit, label, clients, configuration, reference, runs,
    mean,
    reference_runs,
    reference_mean,
    mean - reference_mean as difference,
    case when not is_own then common_error end as common_error,
    case when not is_own then common_ratio_error end as common_ratio_error,
    mean - reference_mean - difference_half_width as difference_ci95_low,
    mean - reference_mean + difference_half_width as difference_ci95_high,
    ratio,
    ratio_ci95_low,
    ratio_ci95_high,
    case when not is_own then ratio * sqrt(ratio_se2) end as ratio_stderr,
    case when not is_own then df end as df,
    p_value,
    p_holm,
    comparisons,
    case
        when is_own then 'reference'
        when ratio is null then 'no ratio: a mean is not above zero'
        when ratio_ci95_low is null
            then replace(size_text(change_pct, direction), 'as much', many)
                || '; no interval with fewer than 3 runs'
        when excludes_one and p_holm < 0.05
            then replace(effect_text(change_pct, direction, near_pct, far_pct),
                'as much', many)
                || case when far_pct <= margin_pct then format(', inside the margin of {}', percent_text(margin_pct)) else '' end
        when margin_pct > 0 and far_pct <= margin_pct
            then format('equal within the margin of {}; differences above {} are ruled out',
                percent_text(margin_pct), percent_bound(far_pct))
        when excludes_one and interval_p < 0.05
            then format('no difference shown after correction for {} comparisons; {}', comparisons, ruled_out)
        when excludes_one  -- the interval is of logarithms, the test of the values
            then format('no difference shown by the test of the means; {}', ruled_out)
        when far_pct > 50 then ruled_out
        else format('no difference shown; {}', ruled_out)
    end
    || case
        when is_own or has_spread or ratio_ci95_low is null then ''
        when subject in ('measurement', 'disk') then '; the spread is below what the printed decimals can show'
        else '; the spread is below what the stamps can show'
    end as verdict,
    case when not is_own then case when pairs is null then 'Welch' else 'paired' end end as method,
    is_proposed

from worded

order by subject, position, item, unit, label, clients
