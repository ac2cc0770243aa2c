-- Probability that Student's T lies farther from zero than t: the integral of sin^(df-1) from 0 to atan(sqrt(df) / t), over that to
-- pi/2, by the double exponential rule (Takahasi and Mori 1974): its nodes crowd at both ends.
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
