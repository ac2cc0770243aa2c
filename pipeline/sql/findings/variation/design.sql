-- The runs of a configuration and of its reference were made in one block each. A warning where blocks lie a week
-- apart or more.
-- severity: warning or note
with

blocked as (

    select
        *,
        count(*) over () as configurations,
        row_number() over (order by distance_days desc, configuration) as rank,
        format(
            '`{}` {}, `{}` {}',
            configuration,
            case
                when first_at::date = last_at::date then 'on ' || strftime(first_at, '%Y-%m-%d')
                else format('from {} to {}', strftime(first_at, '%Y-%m-%d'), strftime(last_at, '%Y-%m-%d'))
            end,
            reference,
            case
                when reference_first_at::date = reference_last_at::date then 'on ' || strftime(reference_first_at, '%Y-%m-%d')
                else format(
                    'from {} to {}', strftime(reference_first_at, '%Y-%m-%d'), strftime(reference_last_at, '%Y-%m-%d')
                )
            end
        ) as periods

    from design

    where run_order = 'blocked' and not is_paired

),

pairs_that_are_none as (  -- declared, but apart in time

    select * from design where is_paired and run_order = 'blocked'

),

sides as (

    select distinct is_paired, unnest([configuration, reference]) as configuration

    from design

    where run_order = 'blocked'

),

lines_of_sides as (  -- where each of their runs begins

    select
        sides.is_paired,
        list(
            decisive_line(run_line.configuration, run_line.run, null::varchar, run_line.file_id, run_line.line_no)
            order by run_line.configuration, run_line.run
        ) as lines

    from sides

    inner join run_line using (configuration)

    group by sides.is_paired

)

select
    case when max(distance_days) >= 7 then 'warning' else 'note' end as severity,
    case when count(*) = 1 then any_value(configuration) end as configuration,
    case
        when count(*) = 1 then format(
            'The runs of two configurations were made in one block each{} ({}): configuration and time cannot be distinguished. '
            || 'Alternate the configurations.',
            any_value(case when distance_days >= 1.5 then format(', {:.0f} days apart', distance_days) else '' end),
            any_value(periods)
        )
        else format(
            'The runs of {} configurations and of their references were made in one block each{} (farthest: {}): '
            || 'configuration and time cannot be distinguished. Alternate the configurations.',
            count(*),
            case when max(distance_days) >= 1.5 then format(', up to {:.0f} days apart', max(distance_days)) else '' end,
            any_value(periods) filter (where rank = 1)
        )
    end as text,
    (select lines from lines_of_sides where not is_paired) as lines

from blocked

having count(*) > 0

union all by name

select
    'warning' as severity,
    case when count(*) = 1 then any_value(configuration) end as configuration,
    format(
        'study.toml declares pairs for {}, but all runs of one side were made before those of the other.',
        string_agg('`' || configuration || '`', ', ' order by configuration)
    ) as text,
    (select lines from lines_of_sides where is_paired) as lines

from pairs_that_are_none

having count(*) > 0
