-- Half width of the 95 % interval of a mean over runs: spread and common error combined in quadrature.
-- A run's own errors of measurement are in the spread already; where the stamps show less spread than these errors must cause
-- (`uncertainty`: the standard uncertainty of one run), the latter counts. `common_error` does not average out. Durations are skewed, and
-- the t interval of ten lognormal ones with a deviation of 30 % covers 94.2 %: the term in stddev / mean brings it to 95 % (simulated in
-- docs/decisions/0017-error-budget.md); without a mean it is left out.
create or replace macro half_width(t, mean, stddev, uncertainty, runs, common_error) as
    sqrt(
        (t * greatest(stddev, coalesce(uncertainty, 0))) ^ 2 / runs
        * (1 + 15 * least(coalesce(stddev / nullif(mean, 0), 0), 1) ^ 2 / runs)
        + coalesce(common_error, 0) ^ 2
    );
