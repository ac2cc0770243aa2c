-- One row per fault that a test injected into a run, and what its clients saw of it.
select
    outages.configuration,
    outages.run,
    outages.fault_no,
    outages.kind,
    outages.node,
    outages.target,
    injected.target as hit,
    (epoch_us(outages.asked_at) - epoch_us(min(outages.asked_at) over (partition by outages.configuration, outages.run))) / 1000000
    as asked_s,
    (epoch_us(injected.end_done_at) - epoch_us(injected.asked_at)) / 1000000 as lasted_s,
    outages.gap_s,
    outages.usual_gap_s,
    outages.outage_s,
    outages.faults,
    outages.answered,
    outages.failed

from main.fault_outage as outages

inner join main.injected_fault as injected using (configuration, run, fault_no)

left join main.configuration_order as configurations using (configuration)

order by configurations.position, outages.configuration, outages.run, outages.fault_no, outages.node, outages.target
