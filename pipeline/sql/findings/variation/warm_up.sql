-- A measurement holds a warm-up: see `warm_up`.
-- severity: note
with

begins as (

    select
        configuration,
        list(
            decisive_line(configuration, run, null::varchar, file_id, line_no)
            order by run
        ) as lines

    from run_line

    group by configuration

)

select
    case when count(*) = 1 then any_value(configuration) end as configuration,
    format(
        '`{}` is {:.1f} % {} in the first quarter of a run than later in {}: it holds a warm-up of up to {:.0f} s.',
        metric,
        abs(favg(change_pct order by change_pct)),
        case when favg(change_pct order by change_pct) < 0 then 'lower' else 'higher' end,
        case
            when count(distinct configuration) = 1 then '`' || any_value(configuration) || '`'
            else count(distinct configuration) || ' configurations'
        end,
        max(first_s)
    ) as text,
    flatten(list(begins.lines order by warm_up.configuration)) as lines

from warm_up

left join begins using (configuration)

where is_noticed

group by metric
