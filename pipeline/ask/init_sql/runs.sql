-- One row per run that is set aside, and why.
select run.configuration, run.run, run.excluded_reason

from run

left join configuration_order as place using (configuration)

where not run.used and not contains(run.flags, 'extra_incident')

order by place.position, run.run_no, run.run
