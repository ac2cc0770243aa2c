-- One row per run and number that shows what its clients went through: the outage that a probe saw, and what the fault
-- did to the rate of the load. `client_outage_s` is the outage of `client_outage`. Of several series of a rate
-- (`measurement_dip`) the one that gives its load counts, then the most finely known: `_before_fault` is its median
-- before the fault, `_standstill_s` how long nothing ran, `_recovery_s` the time from the fault until it was back.
-- Numbers of a planned take-over count only where a configuration has no other runs.
-- materialised: small, and read by all statistics
-- columns:
--   metric: client_outage_s, tps_before_fault, tps_standstill_s, tps_recovery_s; the latter of any rate that was
--     measured
--   source: client_probe, or the format of the load's log
--   file_id: file of the line that the number ends with
--   label: what was asked, where a probe distinguishes several
--   is_valid: false where an end was not seen, for a planned take-over beside runs that are none, and for a fault of
--     another kind than most
--   doubt: what speaks against the value, in words
with

outages as (

    select
        configuration,
        run,
        'client_outage_s' as metric,
        's' as unit,
        coalesce(outage_s, outage_low_s) as value,
        'client_probe' as source,
        file_id,
        line_no,
        1 as part,
        target as label,
        null::integer as clients,
        outage_s is not null as is_valid,
        case
            when first_success_at is null and first_failure_at is not null then 'the client was not served again'
            when outage_s is null then 'no question was answered before the outage'
        end as doubt

    from client_outage

    -- a probe that did not ask around the fault measured nothing
    where outage_low_s is not null

),

dips as (

    select dip.*, place.source

    from measurement_dip as dip

    inner join (select distinct configuration, run, metric, series_no, source from measurement_series) as place
        on
            dip.configuration = place.configuration
            and dip.run = place.run
            and dip.metric = place.metric
            and dip.series_no = place.series_no

    where dip.event = 'fault' and not dip.is_repeated

    qualify row_number() over (
        partition by dip.configuration, dip.run, dip.metric
        order by dip.clients is null, ceil(dip.resolution_s - 0.1), dip.baseline_intervals desc, dip.series_no
    ) = 1

),

effects as (

    select
        dips.configuration,
        dips.run,
        dips.metric || effect.suffix as metric,
        effect.unit,
        effect.value,
        dips.source,
        dips.file_id,
        dips.line_no,
        effect.part,
        dips.clients,
        true as is_valid,
        null::varchar as doubt

    from dips

    cross join lateral (
        select
            unnest(['_before_fault', '_standstill_s', '_recovery_s']) as suffix,
            unnest([dips.unit, 's', 's']) as unit,
            unnest([dips.baseline, dips.outage_s, case when dips.is_recovered then dips.recovered_s end]) as value,
            unnest([1, 2, 3]) as part
    ) as effect

    where effect.value is not null

),

numbers as (

    select * from outages
    union all by name
    select * from effects

),

of_other_kind as (  -- of a configuration with faults of several kinds

    select run.configuration, run.run, run.fault_kind

    from run

    inner join counted_kind
        on
            run.configuration = counted_kind.configuration
            and coalesce(run.fault_kind, 'not known') <> counted_kind.fault_kind

    where run.used and run.fault_at is not null

),

planned as (  -- beside runs that are none

    select configuration, run

    from run_outcome

    qualify outcome = 'planned' and not bool_and(outcome = 'planned') over (partition by configuration)

)

select
    numbers.* replace (
        numbers.is_valid and planned.run is null and of_other_kind.run is null as is_valid,
        coalesce(
            numbers.doubt,
            case
                when planned.run is not null then 'the take-over was planned'
                when of_other_kind.run is not null
                    then format('the fault is of another kind: {}', coalesce(of_other_kind.fault_kind, 'not known'))
            end
        ) as doubt
    )

from numbers

left join planned on numbers.configuration = planned.configuration and numbers.run = planned.run

left join of_other_kind on numbers.configuration = of_other_kind.configuration and numbers.run = of_other_kind.run

order by numbers.configuration, numbers.run, numbers.metric, numbers.label
