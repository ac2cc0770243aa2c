-- One row per configuration with another one as its reference and main metric: the interval of the ratio.
select
    ratio.configuration,
    ratio.reference,
    ratio.metric,
    ratio.label,
    ratio.clients,
    ratio.ci95_low,
    ratio.ci95_high

from measurement_ratio as ratio

left join configuration_order as place using (configuration)

where
    ratio.configuration <> ratio.reference
    and ratio.ci95_low is not null
    and ratio.metric in ('tps', 'tpm', 'nopm', 'tpmC', 'qps', 'events_per_hour', 'elapsed_s', 'mb_s')

order by place.position, ratio.metric, ratio.label, ratio.clients
