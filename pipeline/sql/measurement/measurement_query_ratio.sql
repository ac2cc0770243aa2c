-- One row per configuration with a reference: the times of its queries or statements against the reference's, as one number.
-- The geometric mean of the ratios of all queries that both have; `measurement_ratio` holds each of them. Below 1 is faster.
-- from: measurement_ratio by configuration, reference, clients; of relative_ratio; where unit = 's' and regexp_matches(metric, '^(query|statement|block) \S+$')
-- columns:
--   queries: queries that both have
--   geometric_mean_ratio: geometric mean of time over reference time
--   least_ratio: ratio of the query that gained most
--   greatest_ratio: ratio of the query that gained least
select
    configuration,
    reference,
    clients,
    count(*) as queries,
    exp(avg(ln(relative_ratio) order by ln(relative_ratio))) as geometric_mean_ratio,
    min(relative_ratio) as least_ratio,
    max(relative_ratio) as greatest_ratio

from measurement_ratio

where regexp_matches(metric, '^(query|statement|block) \S+$') and unit = 's' and relative_ratio > 0

group by configuration, reference, clients

order by configuration, clients
