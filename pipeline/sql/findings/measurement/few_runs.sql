-- A mean rests on fewer than five runs.
-- severity: warning
with

run_counts as (

    select
        configuration,
        count(*) filter (where used and fault_at is not null) as used_count,
        count(*) filter (where fault_at is not null) as found_count

    from run

    group by configuration

)

select
    configuration,
    format(
        '{} of `{}` {} used: {}.',
        case used_count when 0 then 'No run' when 1 then 'Only 1 run' else format('Only {} runs', used_count) end,
        configuration,
        case when used_count < 2 then 'is' else 'are' end,
        case when used_count < 3 then 'no confidence interval can be given' else 'the intervals are wide' end
    ) as text

from run_counts

where used_count < 5 and found_count > 0

union all by name

-- of measurements: one sentence for all configurations and metrics with this many runs
select
    case when len(configurations) = 1 then configurations[1] end as configuration,
    format(
        '`{}` of {} {} on {} {}: {}.',
        regexp_replace(array_to_string(list(metric order by place), '`, `'), '`, `([^`]*)$', '` and `\1'),
        case
            when len(configurations) = 1 then '`' || configurations[1] || '`'
            else len(configurations) || ' configurations'
        end,
        case when count(*) = 1 then 'rests' else 'rest' end,
        runs,
        case when runs = 1 then 'run' else 'runs' end,
        case when runs < 3 then 'no confidence interval can be given' else 'the intervals are wide' end
    ) as text,
    flatten(list(lines order by place)) as lines

from (
    select
        metric,
        place,
        runs,
        list(configuration order by configuration) as configurations,
        flatten(list(lines order by configuration)) as lines

    from (
        select
            configuration,
            metric,
            list_position(['tps', 'nopm', 'tpmC', 'tpm', 'events_per_hour', 'qps'], metric) as place,
            min(runs) as runs

        from measurement_stats

        group by configuration, metric
    ) as measured

    left join measurement_lines using (configuration, metric)

    where place is not null and runs < 5

    group by metric, place, runs
) as metrics

group by configurations, runs
