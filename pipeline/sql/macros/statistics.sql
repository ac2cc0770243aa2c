-- A double as a whole number of units of 2^-50. Null from 1e15 on.
create or replace macro in_units(x) as
    try_cast(case when abs(x) < 1e15 then x * 1125899906842624 end as hugeint);

-- The sum of doubles, the same in any order without the cost of sorting. Null where one of them is 1e15 or more.
create or replace macro exact_sum(x) as
    case when count(in_units(x)) = count(x) then sum(in_units(x))::double / 1125899906842624 end;

-- Half width of the 95 % interval of a mean over runs: that of the spread, and the whole common error. A run's own
-- errors of measurement are in the spread already; where the stamps show less spread than these errors must cause
-- (`uncertainty`: the standard uncertainty of one run), the latter counts. `common_error` does not average out: it is
-- a bound, so that the interval holds the truth wherever the error lies within it.
create or replace macro half_width(t, stddev, uncertainty, runs, common_error) as
    t * greatest(stddev, coalesce(uncertainty, 0)) / sqrt(runs) + coalesce(common_error, 0);

-- Natural logarithm of the probability that a normal value lies above z >= 0: Chebyshev's fit of erfc, right to 1e-7
-- of the probability however small it is.
create or replace macro normal_ln_tail(z) as
    -ln(2 + z / sqrt(2.0)) - z * z / 2 - 1.26551223
    + (1 / (1 + z / sqrt(8.0))) * (1.00002368 + (1 / (1 + z / sqrt(8.0))) * (0.37409196 + (1 / (1 + z / sqrt(8.0))) * (
        0.09678418 + (1 / (1 + z / sqrt(8.0))) * (-0.18628806 + (1 / (1 + z / sqrt(8.0))) * (
            0.27886807 + (1 / (1 + z / sqrt(8.0))) * (-1.13520398 + (1 / (1 + z / sqrt(8.0))) * (
                1.48851587 + (1 / (1 + z / sqrt(8.0))) * (-0.82215223 + (1 / (1 + z / sqrt(8.0))) * 0.17087277)))))))
    );

-- Probability that a normal value lies above z.
create or replace macro normal_tail(z) as
    case when z >= 0 then exp(normal_ln_tail(abs(z))) else 1 - exp(normal_ln_tail(abs(z))) end;

-- Probability that Student's T lies farther from zero than t: the integral of sin^(df-1) from 0 to atan(sqrt(df) / t),
-- over that to pi/2, by the double exponential rule (Takahasi and Mori 1974): its nodes crowd at both ends.
create or replace macro student_tail(t, df) as
    list_aggregate(
        [
            0.1 * pi() * cosh(node / 20.0) * exp(-pi() * sinh(node / 20.0))
            / (1 + exp(-pi() * sinh(node / 20.0))) ^ 2
            * atan2(sqrt(df), t)
            * exp(
                (df - 1) * ln(sin(atan2(sqrt(df), t) * (1 / (1 + exp(-pi() * sinh(node / 20.0))))))
                + lgamma((df + 1) / 2) - lgamma(df / 2) - 0.5 * ln(pi())
            )
            for node in range(-70, 71)
        ],
        'fsum'
    );

-- Newton's rule for `student_tail(t, df) = tail`: the quantile of an interval with all but this probability, nearer
-- than t is.
create or replace macro student_tail_step(t, df, tail) as
    t + (student_tail(t, df) - tail) / (
        2 * exp(lgamma((df + 1) / 2) - lgamma(df / 2) - 0.5 * ln(pi() * df) - (df + 1) / 2 * ln(1 + t * t / df))
    );

-- The normal value with the tail of Student's t at this many degrees of freedom, with the sign of t (Hill 1970):
-- within 0.5 % of the tail from three degrees on where it is above 0.001; the degrees may be fractional. Beyond 1e-12
-- and few degrees it is too small, so that a p value is not understated by much.
create or replace macro student_z(t, df) as
    sign(t) * sqrt((df - 0.5) * ln(1 + t * t / df)) * (
        1 + (
            (df - 0.5) * ln(1 + t * t / df) + 3
            + (
                ((-0.4 * (df - 0.5) * ln(1 + t * t / df) - 3.3) * (df - 0.5) * ln(1 + t * t / df) - 24)
                * (df - 0.5) * ln(1 + t * t / df) - 85.5
            ) / (0.8 * ((df - 0.5) * ln(1 + t * t / df)) ^ 2 + 100 + 48 * (df - 0.5) ^ 2)
        ) / (48 * (df - 0.5) ^ 2)
    );

-- An end of Wilson's 95 % interval of a share (E. B. Wilson 1927): the lower one for sign -1, the upper one for 1.
-- Rounding may leave a share of 0 or 1 outside of its interval.
create or replace macro wilson_bound(recovered, runs, sign) as
    case
        when recovered = case when sign < 0 then 0 else runs end then (1 + sign) // 2
        else (
            recovered / runs + 1.959963984540054 ^ 2 / (2 * runs)
            + sign * 1.959963984540054
            * sqrt(recovered / runs * (1 - recovered / runs) / runs + 1.959963984540054 ^ 2 / (4 * runs ^ 2))
        ) / (1 + 1.959963984540054 ^ 2 / runs)
    end;

-- The cause of a common error that all rows of a group have; null where one of them has none or another.
create or replace macro shared_cause(cause) as
    case when count(distinct cause) = 1 and bool_and(cause is not null) then min(cause) end;
