-- One row per configuration with runs that a fault hit: of how many the service came back by itself. Wilson's interval.
select
    recoveries.configuration,
    recoveries.runs,
    recoveries.recovered,
    recoveries.share,
    recoveries.ci95_low,
    recoveries.ci95_high,
    recoveries.kinds,
    recoveries.fault_kinds

from main.recovery as recoveries

left join main.configuration_order as configurations using (configuration)

order by configurations.position, recoveries.configuration
