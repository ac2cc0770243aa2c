-- One row per configuration and milestone against its reference; the reference's own rows are left out.
select
    changes.configuration,
    changes.reference,
    changes.milestone,
    changes.mean_s,
    changes.reference_mean_s,
    changes.difference_s,
    changes.ratio,
    changes.ratio_ci95_low,
    changes.ratio_ci95_high,
    changes.reduction_pct,
    changes.p_value,
    changes.p_holm,
    changes.verdict,
    stats.runs,
    reference_stats.runs as reference_runs,
    stats.resolution_s

from main.milestone_change as changes

inner join main.configuration_order as configurations
    on changes.configuration = configurations.configuration

inner join main.milestone_order as milestones
    on changes.milestone = milestones.milestone

left join main.milestone_stats as stats
    on changes.configuration = stats.configuration
    and changes.milestone = stats.milestone

left join main.milestone_stats as reference_stats
    on changes.reference = reference_stats.configuration
    and changes.milestone = reference_stats.milestone

where changes.configuration <> changes.reference

order by configurations.position, changes.configuration, milestones.position, changes.milestone
