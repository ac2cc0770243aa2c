-- One row per configuration with a reference: the times of its queries or statements against the reference's, as one
-- number. The geometric mean of the ratios of all queries that both have; `mean_comparison` holds each of them. Below
-- 1 is faster.
-- from: mean_comparison by configuration, reference, clients; of ratio; where subject = 'measurement' and unit = 's' and regexp_matches(item, '^(query|statement|block) \S+$')
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
    exp(avg(ln(ratio) order by ln(ratio))) as geometric_mean_ratio,
    min(ratio) as least_ratio,
    max(ratio) as greatest_ratio

from mean_comparison

where subject = 'measurement' and regexp_matches(item, '^(query|statement|block) \S+$') and unit = 's' and ratio > 0

group by configuration, reference, clients

order by configuration, clients
