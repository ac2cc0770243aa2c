-- One row per configuration and milestone against its reference, named or proposed.
select
    changes.configuration,
    changes.reference,
    changes.item as milestone,
    changes.mean as mean_s,
    changes.reference_mean as reference_mean_s,
    changes.difference as difference_s,
    changes.ratio,
    changes.ratio_ci95_low,
    changes.ratio_ci95_high,
    100 * (1 - changes.ratio) as reduction_pct,
    changes.p_value,
    changes.p_holm,
    changes.verdict,
    changes.runs,
    changes.reference_runs,
    changes.stddev,
    changes.reference_stddev,
    changes.cv,
    changes.reference_cv,
    changes.comparisons,
    changes.common_ratio_error,
    changes.margin_runs,
    changes.is_different,
    changes.is_decided,
    stats.resolution_s

from main.comparison as changes

inner join main.configuration_order as configurations using (configuration)

inner join main.milestone_order as milestones
    on changes.item = milestones.milestone

left join main.milestone_stats as stats
    on changes.configuration = stats.configuration
    and changes.item = stats.milestone

where changes.subject = 'milestone'

order by configurations.position, changes.configuration, milestones.position, changes.item
