-- One row per disk, metric and configuration with a reference that has them too. The disk with the greatest difference
-- comes first: the paper prints the first rows, and a disk that nobody used is alike everywhere.
select
    changes.label,
    changes.item as metric,
    changes.configuration,
    changes.reference,
    changes.mean,
    changes.stddev,
    changes.reference_mean,
    changes.reference_stddev,
    changes.ratio,
    changes.ratio_ci95_low,
    changes.ratio_ci95_high,
    changes.verdict

from main.comparison as changes

inner join main.configuration_order as configurations using (configuration)

where changes.subject = 'disk'

order by
    max(abs(ln(changes.ratio))) filter (
        changes.ratio > 0 and (changes.ratio_ci95_low > 1 or changes.ratio_ci95_high < 1)
    ) over (partition by changes.label) desc nulls last,
    changes.label,
    changes.item,
    configurations.position,
    changes.configuration
