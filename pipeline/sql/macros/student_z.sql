-- The normal value with the tail of Student's t at this many degrees of freedom, with the sign of t (Hill 1970): within 0.5 % of the tail from three
-- degrees on where it is above 0.001; the degrees may be fractional. Beyond 1e-12 and few degrees it is too small, so that a p value is not understated by much.
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
