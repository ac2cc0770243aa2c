-- Half width of the 95 % interval of a mean over runs: that of the spread, and the whole common error.
-- A run's own errors of measurement are in the spread already; where the stamps show less spread than these errors must cause
-- (`uncertainty`: the standard uncertainty of one run), the latter counts. `common_error` does not average out: it is
-- a bound, so that the interval holds the truth wherever the error lies within it.
create or replace macro half_width(t, stddev, uncertainty, runs, common_error) as
    t * greatest(stddev, coalesce(uncertainty, 0)) / sqrt(runs) + coalesce(common_error, 0);
