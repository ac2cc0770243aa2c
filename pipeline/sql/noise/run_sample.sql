-- One row per used run and thing that is averaged over runs: the run's value of a milestone, a phase or a measurement.
-- All tests of noise read it. Milestones: the last one of a configuration that at least five runs show, and all where
-- the configuration has no phases. Milestones that follow each other share what went before them; phases are as good
-- as apart.
-- materialised: small, and read by every test of noise
-- columns:
--   place: place of the run among those of its configuration, in time where times are known
--   error: how far the value may be off by the resolution of stamps or digits, or by the interval of the fault time;
--     in its unit
--   slow_sign: 1 where a greater value is a slower run, -1 where a lesser one is, null where neither is known
--   file_id: file of the value; null for a phase, which has two
--   is_headline: what the configuration is about: its last milestone, else its throughput or elapsed time, else every
--     metric
with

milestones as (

    select
        'milestone' as subject,
        milestone.milestone as item,
        milestone.configuration,
        milestone.run,
        run_time.place,
        milestone.elapsed_s as value,
        greatest(
            coalesce(milestone.resolution_s, 0),
            coalesce((epoch_us(run.fault_at_high) - epoch_us(coalesce(run.fault_at_low, run.fault_at))) / 2000000, 0)
        ) as error,
        milestone_order.position,
        milestone.file_id,
        milestone.line_no

    from milestone

    inner join run using (configuration, run)

    inner join counted_run using (configuration, run)

    inner join run_time using (configuration, run)

    left join milestone_order using (milestone)

),

phase_ends as (

    select distinct phase, unnest(string_split(replace(concat(to_milestone, ',', from_terms), '|', ','), ',')) as milestone

    from study.phase_rule

),

phase_stamps as (

    select milestone.configuration, phase_ends.phase, max(milestone.resolution_s) as resolution_s

    from phase_ends

    inner join milestone using (milestone)

    group by milestone.configuration, phase_ends.phase

),

phases as (

    select
        'phase' as subject,
        phase.phase as item,
        phase.configuration,
        phase.run,
        run_time.place,
        phase.duration_s as value,
        coalesce(phase_stamps.resolution_s, 0) as error

    from phase

    inner join run using (configuration, run)

    inner join counted_run using (configuration, run)

    inner join run_time using (configuration, run)

    left join phase_stamps using (configuration, phase)

),

last_milestones as (

    select configuration, item

    from milestones

    group by configuration, item, position

    having count(*) >= 5

    qualify row_number() over (partition by configuration order by position desc nulls last, item) = 1

),

measured as (

    select
        measurement.configuration,
        measurement.run,
        run_time.place,
        measurement.metric as item,
        measurement.unit,
        measurement.label,
        measurement.clients,
        favg(measurement.value order by measurement.file_id, measurement.line_no, measurement.part) as value,
        min(measurement.file_id) as file_id,
        arg_min(measurement.line_no, (measurement.file_id, measurement.line_no)) as line_no

    from measurement

    inner join run_time
        on measurement.configuration = run_time.configuration and measurement.run = run_time.run and run_time.is_counted

    where
        measurement.is_valid
        and measurement.value is not null
        and measurement.unit is distinct from 'count'
        -- the report of the HADR simulator has checks of its own
        and measurement.source not in ('simhadr', 'simhadr_disk')

    group by
        measurement.configuration, measurement.run, run_time.place, measurement.metric, measurement.unit, measurement.label,
        measurement.clients

),

digits as (  -- numbers as printed: whole, with one decimal, with two

    select
        configuration, item, unit, label, clients,
        case
            when bool_and(value = round(value)) then 1
            when bool_and(abs(10 * value - round(10 * value)) < 1e-6) then 0.1
            when bool_and(abs(100 * value - round(100 * value)) < 1e-6) then 0.01
            else 0
        end as error

    from measured

    group by configuration, item, unit, label, clients

),

headlines as (

    select
        configuration,
        item,
        case
            when item in ('tps', 'tpm', 'nopm', 'tpmC', 'qps', 'ops', 'events_per_hour', 'events_per_second') then 1
            when item in ('elapsed_s', 'client_outage_s') then 2
            else 3
        end as preference

    from measured

    group by configuration, item

    qualify preference = min(preference) over (partition by configuration)

)

select
    milestones.subject,
    milestones.item,
    's' as unit,
    null::varchar as label,
    null::integer as clients,
    milestones.configuration,
    milestones.run,
    milestones.place,
    milestones.value,
    milestones.error::double as error,
    1 as slow_sign,
    milestones.file_id,
    milestones.line_no,
    last_milestones.item is not null as is_headline

from milestones

left join last_milestones using (configuration, item)

where last_milestones.item is not null or milestones.configuration not in (select phases.configuration from phases)

union all

select subject, item, 's', null, null, configuration, run, place, value, error, 1, null, null, false

from phases

union all

select
    'measurement',
    measured.item, measured.unit, measured.label, measured.clients, measured.configuration, measured.run,
    measured.place,
    measured.value,
    digits.error,
    case
        when measured.unit in ('s', 'ms', 'us', 'ns', 'min', 'h') then 1
        when measured.unit like '%/s' or measured.unit in ('1/min', '1/h') then -1
        when measured.item in ('tps', 'tpm', 'nopm', 'tpmC', 'qps', 'ops', 'events_per_hour', 'events_per_second') then -1
    end,
    measured.file_id,
    measured.line_no,
    headlines.item is not null and last_milestones.item is null

from measured

inner join digits
    on
        measured.configuration = digits.configuration
        and measured.item = digits.item
        and measured.unit is not distinct from digits.unit
        and measured.label is not distinct from digits.label
        and measured.clients is not distinct from digits.clients

left join headlines
    on measured.configuration = headlines.configuration and measured.item = headlines.item

left join last_milestones
    on measured.configuration = last_milestones.configuration
