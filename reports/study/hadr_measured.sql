-- One row per configuration, metric and label of measurements that are of the HADR simulator.
select distinct measured.configuration, measured.metric, measured.label from main.simhadr_measurement as measured
