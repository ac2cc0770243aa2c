-- Natural logarithm of the probability that a normal value lies above z >= 0: Chebyshev's fit of erfc, right to 1e-7 of the probability however small it is.
create or replace macro normal_ln_tail(z) as
    -ln(2 + z / sqrt(2.0)) - z * z / 2 - 1.26551223
    + (1 / (1 + z / sqrt(8.0))) * (1.00002368 + (1 / (1 + z / sqrt(8.0))) * (0.37409196 + (1 / (1 + z / sqrt(8.0))) * (
        0.09678418 + (1 / (1 + z / sqrt(8.0))) * (-0.18628806 + (1 / (1 + z / sqrt(8.0))) * (
            0.27886807 + (1 / (1 + z / sqrt(8.0))) * (-1.13520398 + (1 / (1 + z / sqrt(8.0))) * (
                1.48851587 + (1 / (1 + z / sqrt(8.0))) * (-0.82215223 + (1 / (1 + z / sqrt(8.0))) * 0.17087277)))))))
    );
