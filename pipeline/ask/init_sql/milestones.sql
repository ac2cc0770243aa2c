-- One row per configuration: its last milestone, with the upper end of its interval.
select stats.configuration, stats.milestone, stats.ci95_high_s

from milestone_stats as stats

left join configuration_order as place using (configuration)

left join milestone_order as heading using (milestone)

where stats.ci95_high_s is not null

qualify row_number() over (partition by stats.configuration order by heading.position desc) = 1

order by place.position
