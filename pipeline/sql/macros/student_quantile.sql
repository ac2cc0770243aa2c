-- The quantile of a 95 % interval at so many degrees of freedom, whole or not: Newton's rule for `student_tail(t, df) = 0.05`, from
-- the expansion in 1/df (Abramowitz and Stegun 26.7.5).
create or replace macro student_quantile(df) as
    list_reduce(
        range(6)::double[],
        lambda t, step: t + (student_tail(t, df) - 0.05) / (
            2 * exp(
                lgamma((df + 1) / 2) - lgamma(df / 2) - 0.5 * ln(pi() * df)
                - (df + 1) / 2 * ln(1 + t * t / df)
            )
        ),
        1.959963984540054 + 2.372271226 / df + 2.8224986 / df ^ 2 + 2.5558498 / df ^ 3 + 1.5895 / df ^ 4
    );
