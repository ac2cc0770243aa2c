-- Quantile of Student's t between whole degrees of freedom: linear in 1/df, beyond 200 towards the normal quantile (1/df = 0).
-- `lower_t` is that of the whole degrees below, `upper_t` that of the next, both of level 0.95; from 200 on the last row stands for both.
create or replace macro t_interpolated(df, lower_t, upper_t) as
    case
        when df >= 200 then 1.959963984540054 + (lower_t - 1.959963984540054) * 200 / df
        else
            upper_t
            + (lower_t - upper_t)
            * (1 / df - 1 / (least(greatest(floor(df), 1), 199) + 1))
            / (1 / least(greatest(floor(df), 1), 199) - 1 / (least(greatest(floor(df), 1), 199) + 1))
    end;
