-- One row per configuration with another one as its reference: by how much its last milestone is sooner at least.
select change.configuration, change.reference, change.milestone, 100 * (1 - change.ratio_ci95_high) as least_reduction_pct

from milestone_change as change

left join configuration_order as place using (configuration)

left join milestone_order as heading using (milestone)

where change.configuration <> change.reference and change.ratio_ci95_high is not null

qualify row_number() over (partition by change.configuration order by heading.position desc) = 1

order by place.position
