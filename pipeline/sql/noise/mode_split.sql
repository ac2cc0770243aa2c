-- One row per sample of at least five runs: the cut that best divides its runs into two groups, and how likely chance makes one as clear.
-- A cut between two values in order of size: t of Student's test between the groups, with a spread of at least what the stamps hide and a distance
-- less by it. Of k runs among n there are "n over k" groups, each with its chance, so the p value is at most their sum; each size of the smaller
-- group has a share of it, a group of one most. It is the greater of those of the values and of their logarithms, so that neither a normal nor a skewed
-- (log-normal) spread looks divided. A distance below a hundredth of the mean is none.
-- materialised: small, and slow to plan
-- empty without rows of: run_sample
-- from: run_sample by subject, item, unit, label, clients, configuration; of value
-- columns:
--   is_headline: what the configuration is about
--   minority: runs in the smaller group; in the upper one where both are equal
--   is_minority_high: the smaller group has the greater values
--   share: share of the smaller group
--   share_ci95_low: lower end of its Wilson interval
--   share_ci95_high: upper end
--   minority_mean: mean of the smaller group
--   majority_mean: mean of the others
--   minority_runs: the runs of the smaller group
--   p_value: probability of a cut as clear in a sample without modes, at most
with

counted as (

    select
        *,
        count(*) over sample as runs,
        sum(value) over in_order / count(*) over sample as mean,
        max(error) over sample as sample_error,
        min(value) over sample > 0 as has_logarithm,
        dense_rank() over (order by subject, item, unit, label, clients, configuration) as sample_no,
        row_number() over (sample order by value, run) as k

    from run_sample

    window
        sample as (partition by subject, item, unit, label, clients, configuration),
        in_order as (
            partition by subject, item, unit, label, clients, configuration
            order by value, run rows between unbounded preceding and unbounded following
        )

    qualify runs >= 5

),

relevant as (  -- what the distance between groups must reach

    select configuration, max(abs(mean)) as mean

    from counted

    where is_headline and subject = 'milestone'

    group by configuration

),

scaled as (

    select sample_no, k, runs, value, sample_error, 'plain' as scale, value - mean as x, sample_error as error

    from counted

    union all

    select sample_no, k, runs, value, sample_error, 'logarithm', ln(value / mean), sample_error / mean

    from counted

    where has_logarithm

),

halves as (  -- of each cut after the k-th value

    select
        *,
        sum(x) over below as low_sum,
        sum(x * x) over below as low_squares,
        sum(x) over whole - sum(x) over below as high_sum,
        sum(x * x) over whole - sum(x * x) over below as high_squares,
        lead(value) over (partition by sample_no, scale order by k) - value as gap

    from scaled

    window
        whole as (
            partition by sample_no, scale order by k rows between unbounded preceding and unbounded following
        ),
        below as (partition by sample_no, scale order by k rows unbounded preceding)

),

cuts as (

    select
        *,
        least(k, runs - k) as size,
        (
            greatest(low_squares - low_sum ^ 2 / k, 0) + greatest(high_squares - high_sum ^ 2 / (runs - k), 0)
        ) / (runs - 2) + error ^ 2 / 12 as variance,
        high_sum / (runs - k) - low_sum / k - error as distance

    from halves

    where k < runs

),

tests as (

    select
        *,
        case
            when gap <= sample_error or distance <= 0 then 0
            when variance <= 1e-24 * distance ^ 2 then 30
            else least(student_z(distance / sqrt(variance * (1 / k + 1 / (runs - k))), runs - 2), 30)
        end as z

    from cuts

),

chances as (

    select
        sample_no,
        k,
        max(least(0,
            lgamma(runs + 1) - lgamma(k + 1) - lgamma(runs - k + 1)
            + normal_ln_tail(z)
            -- sizes 1, 2, ... up to the half share the chance as 1/2, 1/6, 1/12, ..., and both sides have half of it
            - ln(1 / (size * (size + 1)) / (1 - 1 / (floor(runs / 2) + 1)) / 2)
        )) as ln_p

    from tests

    group by sample_no, k

    qualify row_number() over (partition by sample_no order by ln_p, abs(2 * k - max(runs)), k) = 1

),

divided as (

    select
        counted.subject,
        counted.item, counted.unit, counted.label, counted.clients, counted.configuration, counted.runs,
        any_value(counted.is_headline) as is_headline,
        any_value(chances.k) as k,
        2 * any_value(chances.k) >= counted.runs as is_minority_high,
        avg(counted.value order by counted.k) filter (where counted.k <= chances.k) as low_mean,
        avg(counted.value order by counted.k) filter (where counted.k > chances.k) as high_mean,
        list(counted.run order by counted.place) filter (where counted.k <= chances.k) as low_runs,
        list(counted.run order by counted.place) filter (where counted.k > chances.k) as high_runs,
        any_value(counted.mean) as mean,
        exp(any_value(chances.ln_p)) as p_value

    from counted

    inner join chances using (sample_no)

    group by
        counted.subject, counted.item, counted.unit, counted.label, counted.clients, counted.configuration, counted.runs

),

shares as (

    select *, least(k, runs - k) as minority, 1.959963984540054 ^ 2 as z2 from divided

)

select
    shares.subject, shares.item, shares.unit, shares.label, shares.clients, shares.configuration, shares.runs,
    shares.is_headline,
    shares.minority,
    shares.is_minority_high,
    shares.minority / shares.runs as share,
    (minority + z2 / 2 - sqrt(z2 * (minority * (1 - minority / runs) + z2 / 4))) / (runs + z2) as share_ci95_low,
    (minority + z2 / 2 + sqrt(z2 * (minority * (1 - minority / runs) + z2 / 4))) / (runs + z2) as share_ci95_high,
    case when is_minority_high then high_mean else low_mean end as minority_mean,
    case when is_minority_high then low_mean else high_mean end as majority_mean,
    case when is_minority_high then high_runs else low_runs end as minority_runs,
    case
        when high_mean - low_mean < 0.01 * greatest(abs(shares.mean), coalesce(relevant.mean, 0)) then 1
        else p_value
    end as p_value

from shares

left join relevant
    on shares.configuration = relevant.configuration and shares.subject <> 'measurement'

order by p_value, shares.subject, shares.item, shares.unit, shares.label, shares.clients, shares.configuration
