-- One row per configuration's headline (its last milestone, throughput or elapsed time), from five runs on: three tests of the order of its runs, as normal values.
-- The first run: its distance from the others (Student's t); the lesser of those of the values and of their logarithms. Autocorrelation: Bartels' rank
-- version of von Neumann's ratio, from six runs on; equal values are drawn apart, so that it holds however many there are. Drift: Spearman's rank correlation with the order.
-- materialised: small, and slow to plan
-- empty without rows of: run_sample
-- from: run_sample by subject, item, unit, label, clients, configuration; of value
-- columns:
--   first_value: value of the first run
--   other_mean: mean of the others
--   first_z: how far the first run is on the slow side of the others, as a normal value; where slow is unknown, on the upper side; null
--     where the others are all alike and known exactly
--   slow_sign: 1 where a greater value is slower, -1 where a lesser one is, null where neither is known
--   neighbour_correlation: correlation of the ranks of runs that follow each other, 1 less half of the ratio
--   autocorrelation_z: the same as a normal value
--   rho: Spearman's correlation of value and order
--   drift_z: the same as a normal value
with

headline as (

    select
        *,
        row_number() over (sample order by place) as number,
        rank() over (sample order by value) + (count(*) over (tie) - 1) / 2 as value_rank,
        -- equal values in an order that knows nothing of time: few values would follow each other too often
        row_number() over (sample order by value, md5(concat(configuration, ' ', item, ' ', run))) as drawn_rank,
        min(value) over sample > 0 as has_logarithm

    from run_sample

    where is_headline

    window
        sample as (partition by subject, item, unit, label, clients, configuration),
        tie as (partition by subject, item, unit, label, clients, configuration, value)

),

steps as (

    select
        *,
        drawn_rank - lag(drawn_rank) over (
            partition by subject, item, unit, label, clients, configuration order by number
        ) as rank_step

    from headline

),

sums as (

    select
        subject, item, unit, label, clients, configuration,
        any_value(slow_sign) as slow_sign,
        count(*) as runs,
        max(error) as error,
        max(value) filter (where number = 1) as first_value,
        avg(value order by number) filter (where number > 1) as other_mean,
        stddev_samp(value order by number) filter (where number > 1) as other_stddev,
        max(ln(value)) filter (where number = 1 and has_logarithm) as first_ln,
        avg(ln(value) order by number) filter (where number > 1 and has_logarithm) as other_ln_mean,
        stddev_samp(ln(value) order by number) filter (where number > 1 and has_logarithm) as other_ln_stddev,
        case
            -- what never changes has no order
            when min(value_rank) < max(value_rank)
                then fsum(rank_step ^ 2 order by rank_step) / (count(*) * (count(*) ^ 2 - 1) / 12)
        end as ratio,
        case when min(value_rank) < max(value_rank) then corr(number, value_rank order by number) end as rho

    from steps

    group by subject, item, unit, label, clients, configuration

    having count(*) >= 5

),

distances as (

    select
        *,
        (first_value - other_mean) / nullif(sqrt((other_stddev ^ 2 + error ^ 2 / 12) * (1 + 1 / (runs - 1))), 0) as plain_t,
        (first_ln - other_ln_mean) / nullif(
            sqrt((other_ln_stddev ^ 2 + (error / other_mean) ^ 2 / 12) * (1 + 1 / (runs - 1))), 0
        ) as ln_t,
        -- degrees of freedom of a correlation that is spread as the ratio is
        5 * runs * (runs + 1) * (runs - 1) ^ 2 / ((runs - 2) * (5 * runs ^ 2 - 2 * runs - 9)) - 1 as ratio_df

    from sums

),

signed as (

    select
        *,
        coalesce(slow_sign, 1) * case
            when abs(first_value - other_mean) <= error then 0
            when ln_t is null then plain_t
            when sign(ln_t) <> sign(plain_t) then 0
            else sign(plain_t) * least(abs(plain_t), abs(ln_t))
        end as first_t,
        -- half a step nearer to none, as few ranks allow few values
        sign(rho) * greatest(abs(rho) - 6 / (runs ^ 3 - runs), 0) as steady_rho

    from distances

)

select
    subject, item, unit, label, clients, configuration, runs,
    first_value,
    other_mean,
    -- others that are all alike, without an error, leave the distance open
    case when first_t is not null then least(greatest(student_z(first_t, runs - 2), -30), 30) end as first_z,
    slow_sign,
    case when runs >= 6 then 1 - ratio / 2 end as neighbour_correlation,
    case
        when runs >= 6
            then student_z((1 - ratio / 2) * sqrt(ratio_df / greatest(1 - (1 - ratio / 2) ^ 2, 1e-9)), ratio_df)
    end as autocorrelation_z,
    rho,
    student_z(steady_rho * sqrt((runs - 2) / (1 - steady_rho ^ 2)), runs - 2) as drift_z

from signed

order by subject, item, unit, label, clients, configuration
