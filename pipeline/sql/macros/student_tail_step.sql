-- Newton's rule for `student_tail(t, df) = 0.05`: the quantile of a 95 % interval, nearer than t is.
create or replace macro student_tail_step(t, df) as
    t + (student_tail(t, df) - 0.05) / (
        2 * exp(lgamma((df + 1) / 2) - lgamma(df / 2) - 0.5 * ln(pi() * df) - (df + 1) / 2 * ln(1 + t * t / df))
    );
