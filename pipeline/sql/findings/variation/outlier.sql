-- Values lie far from the others: see `outlier`.
-- severity: note
select
    case when count(distinct configuration) = 1 then any_value(configuration) end as configuration,
    case when count(distinct (configuration, run)) = 1 then any_value(run) end as run,
    format(
        '{} of {} from the median of the other runs (Tukey, modified z); the farthest is `{}` with {:.1f} s, median {:.1f} s. '
        || 'They are kept, and listed in the relation `outlier`.',
        case when count(*) = 1 then '1 value' else count(*) || ' values' end,
        case
            when count(distinct (configuration, run)) = 1
                then format('{} of `{}` {} far', run_text(any_value(run)), any_value(configuration),
                    case when count(*) = 1 then 'lies' else 'lie' end)
            else format('{} runs lie far', count(distinct (configuration, run)))
        end,
        arg_max(milestone, abs(elapsed_s - median_s)),
        arg_max(elapsed_s, abs(elapsed_s - median_s)),
        arg_max(median_s, abs(elapsed_s - median_s))
    ) as text,
    list(
        decisive_line(outlier.configuration, outlier.run, outlier.milestone, outlier.file_id, outlier.line_no)
        order by configuration, run, file_id, line_no, milestone
    ) as lines

from outlier

having count(*) > 0
