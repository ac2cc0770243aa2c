-- One row per configuration whose fault times rest on a timer that no file specifies: inferred from its runs, or not known at all.
-- Part of `finding`, with its columns.
-- columns:
--   severity: note
--   kind: inferred_timer, assumed_timer
--   configuration: folder group
--   run: null: it concerns the configuration
--   text: the doubt in a sentence
--   file_id: file of the line that shows the timer best
--   line_no: that line
with

runs as (

    select
        run.configuration,
        run.run,
        list_contains(string_split(run.flags, ', '), 'assumed_timer') as is_assumed,
        fault_time.width_s,
        unnest(list_distinct([fault_time.low_source, fault_time.high_source])) as source

    from run

    inner join fault_time
        on run.configuration = fault_time.configuration and run.run = fault_time.run

    where run.flags like '%assumed_timer%' or run.flags like '%inferred_timer%'

),

needed as (

    select
        *,
        unnest(case source
            when 'in trouble' then ['peertrouble']
            when 'expired' then ['peerinact']
            when 'membership' then ['membership', 'peerinact', 'stable']
            when 'had membership' then ['membership', 'peerinact', 'stable']
            when 'dead time' then ['deadtime']
            else ['token']
        end) as timer

    from runs

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

    inner join inferred_timer
        on needed.configuration = inferred_timer.configuration and needed.timer = inferred_timer.timer

    where
        not needed.is_assumed
        and inferred_timer.low_s is not null
        and inferred_timer.high_s is not null
        and not exists (
            select 1

            from specified_timer

            where specified_timer.configuration = needed.configuration and specified_timer.timer = needed.timer
        )

    group by needed.configuration, needed.timer

    -- the two together are known better than one by one
    qualify
        needed.timer = 'membership'
        or needed.timer = 'peertrouble'
        or needed.timer = 'token'
        or bool_and(needed.timer <> 'membership') over (partition by needed.configuration)

),

assumed as (

    select configuration, count(distinct run) as runs, min(run) as run, median(width_s) as width_s

    from runs

    where is_assumed

    group by configuration

)

select
    'note' as severity,
    'inferred_timer' as kind,
    configuration,
    null::varchar as run,
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

union all

select
    'note',
    'assumed_timer',
    configuration,
    null,
    format(
        'The fault time of {} of `{}` is known to {:.1f} s only, as it rests on a timer that neither a configuration file (llttab, gabtab, ha.cf, corosync.conf) nor a line of the logs shows.',
        case when runs = 1 then run_text(run) else runs || ' runs' end,
        configuration,
        width_s
    ),
    null,
    null

from assumed
