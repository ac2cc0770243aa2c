-- One row per configuration and its reference: how their runs lie in time. blocked: all runs of one came before all of
-- the other, so that what changed with time looks like the configuration. paired: the runs of each number follow each
-- other, with no other run of the two between, in five or more pairs and in the order of the numbers; which of a pair
-- came first may change. interleaved: anything else that is mixed no less than chance mixes it (Wald and Wolfowitz),
-- partly blocked: less (p below 0.01). study.toml may declare that runs are paired, or not (`paired`).
-- materialised: small, slow to plan, and says whether runs are pairs at all
-- empty without rows of: comparison_pair where configuration <> reference
-- columns:
--   runs: runs with a known time
--   reference_runs: the same of the reference
--   first_at: time of the first run, UTC
--   last_at: time of the last run
--   reference_first_at: time of the first run of the reference
--   reference_last_at: time of its last run
--   distance_days: days between the middles of both periods
--   gap_days: days without a run of either between the periods; 0 where they overlap, null where times are unknown
--   pairs: runs of the same number on both sides
--   stretches: stretches of runs of one and the same configuration, in order of time
--   stretches_z: how far that is from the number that chance would give, as a normal value; negative: fewer
--   run_order: paired, interleaved, partly blocked, blocked, unknown
--   is_paired: comparisons use the pairs
--   evidence: what shows the order, in words
with

chosen as (

    select
        comparison_pair.configuration,
        comparison_pair.reference,
        coalesce(declared.paired, setting.paired) as declared_paired

    from comparison_pair

    left join study.configuration as declared using (configuration)

    left join study.setting as setting
        on true

    where comparison_pair.reference <> comparison_pair.configuration

),

timed as (

    select configuration, run, run_no, "at"

    from run_time

    where is_timed and is_counted

),

both_sides as (

    select chosen.configuration, chosen.reference, false as is_reference, timed.run, timed.run_no, timed."at"

    from chosen

    inner join timed using (configuration)

    union all

    select chosen.configuration, chosen.reference, true, timed.run, timed.run_no, timed."at"

    from chosen

    inner join timed
        on chosen.reference = timed.configuration

),

in_time as (

    select
        *,
        lag(is_reference) over in_order as previous_is_reference,
        row_number() over in_order as place

    from both_sides

    window in_order as (partition by configuration order by "at", is_reference, run)

),

pairs as (  -- of the same number, one on each side; the two must follow each other

    select
        configuration,
        run_no,
        min(place) as place,
        max(place) - min(place) = 1 as is_adjacent,
        row_number() over (partition by configuration order by run_no) = row_number() over (
            partition by configuration order by min(place)
        ) as is_in_order

    from in_time

    group by configuration, run_no

    having count(*) = 2 and count(distinct is_reference) = 2

),

matched as (

    select configuration, count(*) as pairs, bool_and(is_adjacent and is_in_order) as is_alternating

    from pairs

    group by configuration

),

numbered as (  -- pairs that study.toml declares need no times

    select chosen.configuration, count(*) as pairs

    from chosen

    inner join run_time as here
        on chosen.configuration = here.configuration and here.is_counted

    inner join run_time as there
        on chosen.reference = there.configuration and here.run_no = there.run_no and there.is_counted

    group by chosen.configuration

),

periods as (

    select
        configuration,
        count(*) filter (where not is_reference) as runs,
        count(*) filter (where is_reference) as reference_runs,
        min("at") filter (where not is_reference) as first_at,
        max("at") filter (where not is_reference) as last_at,
        min("at") filter (where is_reference) as reference_first_at,
        max("at") filter (where is_reference) as reference_last_at,
        1 + count(*) filter (where is_reference <> previous_is_reference) as stretches

    from in_time

    group by configuration

),

expected as (

    select
        *,
        1 + 2 * runs * reference_runs / (runs + reference_runs) as expected_stretches,
        2.0 * runs * reference_runs * (2.0 * runs * reference_runs - runs - reference_runs)
        / ((runs + reference_runs) ^ 2 * (runs + reference_runs - 1)) as stretches_variance

    from periods

    where runs > 0 and reference_runs > 0

),

placed as (

    select
        chosen.configuration,
        chosen.reference,
        chosen.declared_paired,
        coalesce(expected.runs, 0) as runs,
        coalesce(expected.reference_runs, 0) as reference_runs,
        expected.first_at,
        expected.last_at,
        expected.reference_first_at,
        expected.reference_last_at,
        abs(
            (epoch_us(expected.first_at) + epoch_us(expected.last_at)) / 2
            - (epoch_us(expected.reference_first_at) + epoch_us(expected.reference_last_at)) / 2
        ) / 86400e6 as distance_days,
        case
            when expected.configuration is not null
                then greatest(
                    epoch_us(expected.first_at) - epoch_us(expected.reference_last_at),
                    epoch_us(expected.reference_first_at) - epoch_us(expected.last_at),
                    0
                ) / 86400e6
        end as gap_days,
        coalesce(matched.pairs, numbered.pairs, 0) as pairs,
        expected.stretches,
        (expected.stretches - expected.expected_stretches) / nullif(sqrt(expected.stretches_variance), 0) as stretches_z,
        case
            when expected.configuration is null or least(expected.runs, expected.reference_runs) < 2 then 'unknown'
            when expected.stretches = 2 then 'blocked'
            when
                matched.is_alternating
                and matched.pairs >= 5
                and 2 * matched.pairs >= 0.9 * (expected.runs + expected.reference_runs)
                then 'paired'
            when (expected.stretches - expected.expected_stretches) / nullif(sqrt(expected.stretches_variance), 0) < -2.326
                then 'partly blocked'
            else 'interleaved'
        end as run_order

    from chosen

    left join expected using (configuration)

    left join matched using (configuration)

    left join numbered using (configuration)

)

select
    placed.configuration,
    placed.reference,
    runs,
    reference_runs,
    first_at,
    last_at,
    reference_first_at,
    reference_last_at,
    distance_days,
    gap_days,
    pairs,
    stretches,
    stretches_z,
    run_order,
    coalesce(declared_paired, run_order = 'paired') as is_paired,
    case
        when declared_paired then 'study.toml declares that runs of the same number are pairs'
        when not declared_paired and run_order = 'paired' then 'the times show pairs, but study.toml declares that there are none'
        when run_order = 'paired' then format('{} runs of the same number follow each other in time', pairs)
        when run_order = 'unknown' then 'the times of the runs are not known'
        else format('{} stretches of runs of one configuration, among {} runs', stretches, runs + reference_runs)
    end as evidence

from placed

left join configuration_order using (configuration)

order by configuration_order.position
