-- One row per doubt about how runs vary, with the columns of `finding`: what the controlled tests of `noise_test` notice, as warnings, and what is
-- only to be known, as notes. One sentence a fact, however many configurations it holds for.
-- columns:
--   severity: warning for what noise_test notices, else note
--   kind: mode_split, first_run, autocorrelation, drift, warm_up, spread, outlier
--   configuration: folder group; null where it concerns several
--   run: run; null where it concerns several
--   text: the doubt in a sentence
--   file_id: null
--   line_no: null
with

tests as (  -- read several times: planned once

    select * from noise_test

),

noticed_splits as (

    select
        mode_split.*,
        mode_split.item || coalesce(' ' || mode_split.label, '') || coalesce(format(' ({} clients)', mode_split.clients), '')
            as name

    from mode_split

    inner join tests
        on
            tests.test = 'mode_split'
            and tests.scope in ('sample', 'item')
            and tests.is_noticed
            and mode_split.subject = tests.subject
            and mode_split.item = tests.item
            and mode_split.unit is not distinct from tests.unit
            and mode_split.label is not distinct from tests.label
            and mode_split.clients is not distinct from tests.clients
            -- of an item that is noticed over all configurations, those that show it
            and (mode_split.configuration = tests.configuration or (tests.scope = 'item' and mode_split.p_value < 0.05))

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

split_words as (

    select
        subject,
        item,
        unit,
        label,
        clients,
        configuration,
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
        ) as words

    from split_samples

),

splits as (

    select
        'warning' as severity,
        'mode_split' as kind,
        case when count(*) = 1 then any_value(configuration) end as configuration,
        case when count(*) = 1 and len(any_value(minority_runs)) = 1 then any_value(minority_runs)[1] end as run,
        format(
            '`{}`{} divides into two modes: {}{}.',
            item,
            coalesce(' of ' || label, '') || coalesce(format(' with {} clients', clients), ''),
            array_to_string(list(words order by p_value, configuration)[:4], '; '),
            case when count(*) > 4 then format('; and so in {} more configurations', count(*) - 4) else '' end
        ) as text

    from split_words

    group by subject, item, unit, label, clients

),

order_tests as (

    select
        test,
        bool_or(scope = 'study' and is_noticed) as is_general,
        count(*) filter (where scope = 'configuration') as configurations,
        max(z) filter (where scope = 'study') as study_z,
        max(p_value) filter (where scope = 'study') as study_p,
        max(p_holm) filter (where scope = 'configuration' and is_noticed) as own_p,
        list(configuration order by p_value, configuration) filter (where scope = 'configuration' and is_noticed) as noticed,
        list(format('`{}`', configuration) order by p_value, configuration)
            filter (where scope = 'configuration' and is_noticed) as names

    from tests

    where test <> 'mode_split'

    group by test

    having bool_or(is_noticed)

),

sizes as (

    select
        avg(neighbour_correlation) as neighbour_correlation,
        avg(rho * coalesce(slow_sign, 1)) as rho,
        avg(100 * (first_value / nullif(other_mean, 0) - 1)) as first_pct

    from order_test

),

own_sizes as (

    select
        order_tests.test,
        avg(order_test.neighbour_correlation) as neighbour_correlation,
        avg(order_test.rho * coalesce(order_test.slow_sign, 1)) as rho,
        avg(100 * (order_test.first_value / nullif(order_test.other_mean, 0) - 1)) as first_pct

    from order_tests

    inner join order_test
        on list_contains(order_tests.noticed, order_test.configuration)

    group by order_tests.test

),

order_words as (

    select
        order_tests.test,
        is_general,
        noticed,
        case
            when is_general then format('{} configurations', configurations)
            else array_to_string(names[:6], ', ')
                || case when len(noticed) > 6 then format(' and {} more', len(noticed) - 6) else '' end
        end as places,
        case when is_general then study_p else own_p end as p,
        case when is_general then sizes.neighbour_correlation else own_sizes.neighbour_correlation end
            as neighbour_correlation,
        case when is_general then sizes.rho else own_sizes.rho end as rho,
        case when is_general then sizes.first_pct else own_sizes.first_pct end as first_pct

    from order_tests

    cross join sizes

    left join own_sizes
        on order_tests.test = own_sizes.test

),

orders as (

    select
        'warning' as severity,
        test as kind,
        case when not is_general and len(noticed) = 1 then noticed[1] end as configuration,
        null as run,
        case test
            when 'first_run' then format(
                'In {} the first run is {:.0f} % {} than the others{} ({}): run once before measuring.',
                places,
                abs(first_pct),
                case when first_pct > 0 then 'higher' else 'lower' end,
                case when is_general or len(noticed) > 1 then ' on average' else '' end,
                chance_text(p)
            )
            when 'autocorrelation' then format(
                'In {} runs that follow each other are alike (rank correlation {:.2f}{}, {}): they count for fewer than they are, and the '
                || 'intervals are too narrow. Leave more time between runs, or draw their order.',
                places,
                neighbour_correlation,
                case when is_general or len(noticed) > 1 then ' on average' else '' end,
                chance_text(p)
            )
            else format(
                'In {} runs grow {} in the order in which they were made (Spearman {:.2f}{}, {}).',
                places,
                case when rho > 0 then 'slower' else 'faster' end,
                rho,
                case when is_general or len(noticed) > 1 then ' on average' else '' end,
                chance_text(p)
            )
        end as text

    from order_words

),

warm_ups as (

    select
        'note' as severity,
        'warm_up' as kind,
        case when count(*) = 1 then any_value(configuration) end as configuration,
        null as run,
        format(
            '`{}` is {:.1f} % {} in the first quarter of a run than later in {}: it holds a warm-up of up to {:.0f} s.',
            metric,
            abs(favg(change_pct)),
            case when favg(change_pct) < 0 then 'lower' else 'higher' end,
            case
                when count(distinct configuration) = 1 then '`' || any_value(configuration) || '`'
                else count(distinct configuration) || ' configurations'
            end,
            max(first_s)
        ) as text

    from warm_up

    where is_noticed

    group by metric

),

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

spreads as (

    select
        'note' as severity,
        'spread' as kind,
        case when count(distinct configuration) = 1 then any_value(configuration) end as configuration,
        null as run,
        format(
            '{} a standard deviation of more than a tenth of it, beyond the resolution of the stamps: {}{}.',
            case when count(*) = 1 then 'One mean has' else count(*) || ' means have' end,
            array_to_string(
                list(format('`{}` of `{}` {:.0f} %', item, configuration, cv_pct) order by cv_pct desc, item, configuration)[:4], ', '
            ),
            case when count(*) > 4 then format(' and {} more', count(*) - 4) else '' end
        ) as text

    from wide

    having count(*) > 0

),

far as (

    select
        'note' as severity,
        'outlier' as kind,
        case when count(distinct configuration) = 1 then any_value(configuration) end as configuration,
        case when count(distinct (configuration, run)) = 1 then any_value(run) end as run,
        format(
            '{} of {} from the median of the other runs (Tukey, modified z), as it happens in one clean sample of four; kept, and listed in '
            || 'the relation `outlier`.',
            case when count(*) = 1 then '1 value' else count(*) || ' values' end,
            case
                when count(distinct (configuration, run)) = 1
                    then format('{} of `{}` {} far', run_text(any_value(run)), any_value(configuration),
                        case when count(*) = 1 then 'lies' else 'lie' end)
                else format('{} runs lie far', count(distinct (configuration, run)))
            end
        ) as text

    from outlier

    having count(*) > 0

),

findings as (

    select * from splits
    union all
    select * from orders
    union all
    select * from warm_ups
    union all
    select * from spreads
    union all
    select * from far

)

select severity, kind, configuration, run, text, null::integer as file_id, null::integer as line_no from findings
