-- The runs of a sample divide into two modes: see `mode_split`, `noise_test`.
-- severity: warning
with

noticed as (  -- read several times: planned once

    select * from noise_test

),

noticed_splits as (

    select
        mode_split.*,
        mode_split.item || coalesce(' ' || mode_split.label, '') || coalesce(format(' ({} clients)', mode_split.clients), '')
            as name

    from mode_split

    inner join noticed
        on
            noticed.test = 'mode_split'
            and noticed.scope in ('sample', 'item')
            and noticed.is_noticed
            and is_same_item(mode_split, noticed)
            -- of an item that is noticed over all configurations, those that show it
            and (mode_split.configuration = noticed.configuration or (noticed.scope = 'item' and mode_split.p_value < 0.05))

),

split_samples as (  -- a slow step delays those after it: the clearest of what the same runs show

    select distinct *

    from noticed_splits

    where not exists (
        select 1

        from noticed_splits as clearer

        where
            clearer.configuration = noticed_splits.configuration
            and (clearer.p_value, clearer.item) < (noticed_splits.p_value, noticed_splits.item)
            and list_has_all(clearer.minority_runs, noticed_splits.minority_runs)
    )

),

sample_lines as (  -- a phase has no line of its own; apart, as DuckDB 1.4 does not join inside a subquery that looks out

    select
        run_sample.* replace (
            coalesce(run_sample.file_id, run_line.file_id) as file_id,
            coalesce(run_sample.line_no, run_line.line_no) as line_no
        )

    from run_sample

    left join run_line using (configuration, run)

),

split_words as (

    select
        subject, item, unit, label, clients, configuration,
        p_value,
        minority_runs,
        format(
            '{} of {} runs ({:.0f} to {:.0f} %) of `{}` at {}, the others at {}',
            minority,
            runs,
            100 * share_ci95_low,
            100 * share_ci95_high,
            configuration,
            value_text(minority_mean, unit),
            value_text(majority_mean, unit)
        ) as words,
        (
            select list(decisive_line(samples.configuration, run, samples.item, file_id, line_no) order by place)

            from sample_lines as samples

            where
                is_same_item(samples, split_samples)
                and samples.configuration = split_samples.configuration
                and list_contains(split_samples.minority_runs, samples.run)
        ) as lines

    from split_samples

)

select
    case when count(*) = 1 then any_value(configuration) end as configuration,
    case when count(*) = 1 and len(any_value(minority_runs)) = 1 then any_value(minority_runs)[1] end as run,
    format(
        '`{}`{} divides into two modes: {}{}.',
        item,
        coalesce(' of ' || label, '') || coalesce(format(' with {} clients', clients), ''),
        array_to_string(list(words order by p_value, configuration)[:4], '; '),
        case when count(*) > 4 then format('; and so in {} more configurations', count(*) - 4) else '' end
    ) as text,
    flatten(list(lines order by p_value, configuration)) as lines

from split_words

group by subject, item, unit, label, clients
