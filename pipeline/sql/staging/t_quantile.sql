-- One row per degrees of freedom and level: the two-sided quantile of Student's t, |T| <= t with probability `level`.
-- Between whole degrees of freedom take it linear in 1/df; beyond 200 the row of 200 is on the safe side. To twelve
-- decimals.
-- materialised: constant
-- columns:
--   df: degrees of freedom, 1 to 200
--   level: 0.90, 0.95, 0.99
--   t: quantile
with recursive

levels as (

    select unnest([0.90, 0.95, 0.99]::double[]) as level, unnest([1.6448536269514722, 1.959963984540054, 2.5758293035489004]) as z

),

quantiles as (  -- by Newton's rule, from the expansion in 1/df (Abramowitz and Stegun 26.7.5)

    select
        series.df,
        levels.level,
        z + (z ^ 3 + z) / 4 / df + (5 * z ^ 5 + 16 * z ^ 3 + 3 * z) / 96 / df ^ 2 as t,
        0 as step

    from levels

    cross join range(1, 201) as series (df)

    union all

    select df, level, student_tail_step(t, df, 1 - level), step + 1 from quantiles where step < 7

)

select df::integer as df, level, round(t, 12) as t

from quantiles

where step = 7

order by level, df
