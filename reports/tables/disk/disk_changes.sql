-- One row per disk, metric and configuration with a reference that has them too.
select
    changes.label,
    changes.item as metric,
    changes.configuration,
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

order by changes.label, changes.item, configurations.position, changes.configuration
