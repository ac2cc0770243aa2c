-- A fault time rests on a timer that no file specifies, but lines of the configuration show.
-- severity: note
with

sources as (

    select run.configuration, run.run, unnest(list_distinct([fault_time.low_source, fault_time.high_source])) as source

    from run

    inner join fault_time using (configuration, run)

    where contains(run.flags, 'inferred_timer') and not contains(run.flags, 'assumed_timer')

),

needed as (

    select
        configuration,
        run,
        unnest(case source
            when 'in trouble' then ['peertrouble']
            when 'expired' then ['peerinact']
            when 'membership' then ['membership', 'peerinact', 'stable']
            when 'had membership' then ['membership', 'peerinact', 'stable']
            when 'dead time' then ['deadtime']
            else ['token']
        end) as timer

    from sources

),

inferred as (

    select
        needed.configuration,
        needed.timer,
        count(distinct needed.run) as runs,
        min(needed.run) as run,
        any_value(inferred_timer.low_s) as low_s,
        any_value(inferred_timer.high_s) as high_s,
        any_value(inferred_timer.unit_run) as unit_run,
        any_value(inferred_timer.file_id) as file_id,
        any_value(inferred_timer.line_no) as line_no

    from needed

    inner join inferred_timer using (configuration, timer)

    anti join specified_timer using (configuration, timer)

    where inferred_timer.low_s is not null and inferred_timer.high_s is not null

    group by needed.configuration, needed.timer

    -- the two together are known better than one by one
    qualify
        needed.timer = 'membership'
        or needed.timer = 'peertrouble'
        or needed.timer = 'token'
        or bool_and(needed.timer <> 'membership') over (partition by needed.configuration)

)

select
    configuration,
    format(
        'The fault time of {} of `{}` rests on a timer inferred from {}: {}, which no configuration file specifies, is {}.',
        case when runs = 1 then run_text(run) else runs || ' runs' end,
        configuration,
        case when unit_run is null then 'the logs' else run_text(unit_run) end,
        case timer
            when 'membership' then 'peerinact and the stable timeout together'
            when 'stable' then 'the stable timeout'
            else timer
        end,
        case
            when high_s - low_s < 0.005 then format('{:.1f} s', low_s)
            else format('{:.1f} to {:.1f} s', low_s, high_s)
        end
    ) as text,
    file_id,
    line_no

from inferred
