-- Half width of the 95 % interval of a mean over runs: spread and common error combined in quadrature.
-- A run's own errors of measurement are in the spread already; where the stamps show less spread than these errors must cause
-- (`uncertainty`: the standard uncertainty of one run), the latter counts. `common_error` does not average out.
create or replace macro half_width(t, stddev, uncertainty, runs, common_error) as
    sqrt((t * greatest(stddev, coalesce(uncertainty, 0))) ^ 2 / runs + coalesce(common_error, 0) ^ 2);
