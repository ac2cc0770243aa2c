-- Two-sided 95 % quantile of Student's t for any degrees of freedom from 1 on: Newton's rule on `t_tail`, from the expansion in 1/df
-- (Abramowitz and Stegun 26.7.5). Five steps reach the last digit.
create or replace macro t_quantile_95(df) as
    list_reduce(
        [1.959963984540054 + 2.372271226 / df + 2.8224986 / df ^ 2 + 2.5558498 / df ^ 3 + 1.5895 / df ^ 4, 0, 0, 0, 0, 0],
        lambda t, step:
            t + (t_tail(t, df) - 0.05)
            / (2 * exp(lgamma((df + 1) / 2) - lgamma(df / 2) - 0.5 * ln(pi() * df) - (df + 1) / 2 * ln(1 + t * t / df)))
    );
