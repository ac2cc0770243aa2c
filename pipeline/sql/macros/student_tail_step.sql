-- Newton's rule for `student_tail(t, df) = tail`: the quantile of an interval with all but this probability, nearer than t is.
create or replace macro student_tail_step(t, df, tail) as
    t + (student_tail(t, df) - tail) / (
        2 * exp(lgamma((df + 1) / 2) - lgamma(df / 2) - 0.5 * ln(pi() * df) - (df + 1) / 2 * ln(1 + t * t / df))
    );
