-- One row per used run and probe of a client: its outage, as seconds after the fault, and the line of the first answer.
select
    outages.configuration,
    outages.run,
    runs.run_no,
    outages.target,
    outages.outage_s,
    outages.outage_low_s,
    outages.outage_high_s,
    outages.first_failure_s,
    outages.first_success_s,
    outages.failed,
    files.path,
    outages.line_no

from main.client_outage as outages

inner join main.run as runs using (configuration, run)

left join main.source_file as files
    on outages.file_id = files.file_id

left join main.configuration_order as configurations using (configuration)

where runs.used

order by configurations.position, outages.configuration, outages.target, runs.run_no nulls last, outages.run
