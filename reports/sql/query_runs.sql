-- One row per query that a configuration and its reference both have: its time over the reference's.
select
    configuration,
    reference,
    clients,
    metric,
    relative_ratio,
    ci95_low,
    ci95_high

from main.measurement_ratio

where regexp_matches(metric, '^(query|statement|block) \S+$') and unit = 's' and relative_ratio > 0

order by configuration, reference, clients, natural_order(metric), metric
