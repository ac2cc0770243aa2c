-- One row per thing measured in a configuration and its reference whose runs are pairs (`design.is_paired`): the mean
-- over the pairs. What both runs of a pair share cancels. The ratio is exp of the mean difference of logarithms, with
-- Student's interval at one degree of freedom less than there are pairs. Things that five or more pairs show; the keys
-- are those of mean_comparison.
-- materialised: small, and slow to plan
-- empty without rows of: design where is_paired
-- from: milestone by configuration, item as milestone; of elapsed_s; except reference_mean; when subject is milestone
-- from: milestone by reference as configuration, item as milestone; of elapsed_s; except mean; when subject is milestone
-- from: phase by configuration, item as phase; of duration_s; except reference_mean; when subject is phase
-- from: phase by reference as configuration, item as phase; of duration_s; except mean; when subject is phase
-- from: measurement by configuration, item as metric, unit, label, clients; of value; except reference_mean; when subject is measurement
-- from: measurement by reference as configuration, item as metric, unit, label, clients; of value; except mean; when subject is measurement
-- columns:
--   pairs: pairs
--   mean: mean of the configuration over the pairs
--   reference_mean: mean of the reference over the pairs
--   correlation: correlation of the two runs of a pair; null where either side has no spread
--   difference: mean of the differences
--   difference_stddev: their standard deviation
--   difference_ci95_low: lower end of the 95 % t interval of the mean difference
--   difference_ci95_high: upper end
--   ratio: exp(mean(log value - log reference value)); null where a value is not above zero
--   log_ratio_stddev: standard deviation of the difference of logarithms
--   ratio_ci95_low: lower end of the 95 % interval of the ratio
--   ratio_ci95_high: upper end
--   df: degrees of freedom
--   p_value: two-sided p of the paired t test, of the logarithms where there is a ratio, else of the differences; null
--     without any spread
--   evidence: what shows that the runs are pairs
with

values_of_runs as (

    select 'milestone' as subject, milestone as item, 's' as unit, null::varchar as label, null::integer as clients, milestone.configuration,
        run.run_no, milestone.elapsed_s as value

    from milestone

    inner join run using (configuration, run)

    inner join counted_run using (configuration, run)

    union all

    select 'phase', phase.phase, 's', null, null, phase.configuration, run.run_no, phase.duration_s

    from phase

    inner join run using (configuration, run)

    inner join counted_run using (configuration, run)

    union all

    select 'measurement', metric, unit, label, clients, measurement.configuration, run_time.run_no,
        favg(measurement.value order by measurement.file_id, measurement.line_no, measurement.part)

    from measurement

    inner join run_time
        on measurement.configuration = run_time.configuration and measurement.run = run_time.run and run_time.is_counted

    where measurement.is_valid and measurement.value is not null and measurement.unit is distinct from 'count'

    group by metric, unit, label, clients, measurement.configuration, measurement.run, run_time.run_no

),

unique_numbers as (  -- a number that two runs have makes no pair

    select *

    from values_of_runs

    qualify count(*) over (partition by subject, item, unit, label, clients, configuration, run_no) = 1

),

pairs as (

    select
        here.subject, here.item, here.unit, here.label, here.clients, here.configuration,
        design.reference,
        here.run_no,
        here.value,
        there.value as reference_value,
        here.value - there.value as difference,
        case when here.value > 0 and there.value > 0 then ln(here.value) - ln(there.value) end as log_ratio,
        design.evidence

    from design

    inner join unique_numbers as here using (configuration)

    inner join unique_numbers as there
        on
            design.reference = there.configuration
            and is_same_item(here, there)
            and here.run_no = there.run_no

    where design.is_paired

),

moments as (

    select
        subject, item, unit, label, clients, configuration, reference,
        count(*) as pairs,
        favg(value order by run_no, value) as mean,
        favg(reference_value order by run_no, reference_value) as reference_mean,
        case
            when stddev_pop(value order by run_no, value) > 0 and stddev_pop(reference_value order by run_no, reference_value) > 0
                then corr(value, reference_value order by run_no, value, reference_value)
        end as correlation,
        favg(difference order by run_no, difference) as difference,
        stddev_samp(difference order by run_no, difference) as difference_stddev,
        case when count(log_ratio) = count(*) then favg(log_ratio order by run_no, log_ratio) end as log_ratio,
        case when count(log_ratio) = count(*) then stddev_samp(log_ratio order by run_no, log_ratio) end as log_ratio_stddev,
        any_value(evidence) as evidence

    from pairs

    group by subject, item, unit, label, clients, configuration, reference

    having count(*) >= 5

),

tests as (

    select
        *,
        case
            when log_ratio is not null then log_ratio / nullif(log_ratio_stddev / sqrt(pairs), 0)
            else difference / nullif(difference_stddev / sqrt(pairs), 0)
        end as t_value

    from moments

),

normal_values as (  -- a step of its own: a macro repeats its arguments, and these macros repeat each other

    select *, abs(student_z(t_value, pairs - 1)) as z

    from tests

)

select
    normal_values.subject,
    normal_values.item,
    normal_values.unit,
    normal_values.label,
    normal_values.clients,
    normal_values.configuration,
    normal_values.reference,
    pairs,
    mean,
    reference_mean,
    correlation,
    difference,
    difference_stddev,
    difference - quantile.t * difference_stddev / sqrt(pairs) as difference_ci95_low,
    difference + quantile.t * difference_stddev / sqrt(pairs) as difference_ci95_high,
    exp(log_ratio) as ratio,
    log_ratio_stddev,
    exp(log_ratio - quantile.t * log_ratio_stddev / sqrt(pairs)) as ratio_ci95_low,
    exp(log_ratio + quantile.t * log_ratio_stddev / sqrt(pairs)) as ratio_ci95_high,
    pairs - 1 as df,
    case when z is not null then least(1, 2 * normal_tail(z)) end as p_value,
    evidence

from normal_values

inner join t_quantile as quantile
    on least(normal_values.pairs - 1, 200) = quantile.df and quantile.level = 0.95

left join configuration_order using (configuration)

order by normal_values.subject, configuration_order.position, normal_values.item, normal_values.unit, normal_values.label, normal_values.clients
