-- One row per configuration whose last milestone five or more used runs show: Spearman's rank correlation with the
-- order of the runs. `noise_test` decides over the whole study whether such a correlation is more than chance, and for
-- measurements too.
-- from: order_test by configuration, milestone as item; of rho; where subject = 'milestone'
-- columns:
--   milestone: last milestone in the table's order that at least five runs show
--   rho: Spearman's rank correlation of the order in time and seconds; of the run number where times are unknown
--   is_significant: two-sided p below 0.05, for this configuration alone
select
    configuration,
    item as milestone,
    runs,
    rho,
    2 * normal_tail(abs(drift_z)) < 0.05 as is_significant

from order_test

where subject = 'milestone' and rho is not null
