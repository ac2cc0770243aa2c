-- One row per configuration and reason why runs of the HADR simulator may mislead who plans by them, the gravest first.
select
    warnings.configuration,
    warnings.severity,
    warnings.warning,
    warnings.runs,
    warnings.of_runs,
    warnings.text

from main.hadr_warning as warnings

left join main.configuration_order as configurations using (configuration)

order by configurations.position, warnings.configuration, warnings.position
