-- The standard deviation of a mean is above a tenth of it.
-- severity: note
with

wide as (

    select configuration, milestone as item, cv_pct, runs

    from milestone_stats

    -- two cut stamps add a standard deviation of 0.41 s to their difference
    where sqrt(greatest(stddev_s ^ 2 - (0.41 * resolution_s) ^ 2, 0)) > 0.1 * abs(mean_s)

    union all

    select configuration, metric, cv_pct, runs

    from measurement_stats

    where cv_pct > 10 and metric in ('tps', 'tpm', 'nopm', 'tpmC', 'events_per_hour', 'qps', 'elapsed_s')

),

samples as (

    select
        *,
        abs(value - median(value) over (partition by configuration, item, unit, label, clients)) as distance

    from run_sample

    where line_no is not null

),

wide_lines as (  -- of each mean the run that lies farthest out

    select samples.configuration, samples.run, samples.item, samples.file_id, samples.line_no

    from samples

    semi join wide using (configuration, item)

    qualify row_number() over (
        partition by samples.configuration, samples.item, samples.unit, samples.label, samples.clients
        order by samples.distance desc, samples.run
    ) = 1

)

select
    case when count(distinct configuration) = 1 then any_value(configuration) end as configuration,
    format(
        '{} by more than a tenth (standard deviation), more than the stamps explain: {}{}.',
        case when count(*) = 1 then '1 mean varies' else count(*) || ' means vary' end,
        array_to_string(
            list(format('`{}` of `{}` {:.0f} %', item, configuration, cv_pct) order by cv_pct desc, item, configuration)[:4], ', '
        ),
        case when count(*) > 4 then format(' and {} more', count(*) - 4) else '' end
    ) as text,
    (
        select list(
            decisive_line(wide_lines.configuration, wide_lines.run, wide_lines.item, wide_lines.file_id, wide_lines.line_no)
            order by configuration, item, run
        )

        from wide_lines
    ) as lines

from wide

having count(*) > 0
