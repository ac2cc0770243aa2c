-- One row per configuration whose last milestone has a rank correlation with the run number: Spearman's rho, from five used runs on.
-- columns:
--   configuration: folder group
--   milestone: last milestone in the table's order that at least five runs show
--   runs: runs
--   rho: Spearman's rank correlation of run number and seconds
--   is_significant: two-sided p below 0.05 by the t approximation
with

used as (

    select
        milestone.configuration,
        milestone.milestone,
        milestone_order.position,
        run.run_no,
        milestone.elapsed_s

    from counted_milestone as milestone

    inner join run
        on milestone.configuration = run.configuration and milestone.run = run.run

    inner join milestone_order
        on milestone.milestone = milestone_order.milestone

),

ranks as (  -- equal values share the mean of their ranks

    select
        configuration,
        milestone,
        position,
        rank() over (partition by configuration, milestone order by run_no)
        + (count(*) over (partition by configuration, milestone, run_no) - 1) / 2 as run_rank,
        rank() over (partition by configuration, milestone order by elapsed_s)
        + (count(*) over (partition by configuration, milestone, elapsed_s) - 1) / 2 as value_rank

    from used

),

correlations as (

    select configuration, milestone, position, count(*) as runs, corr(run_rank, value_rank) as rho

    from ranks

    group by configuration, milestone, position

    having count(*) >= 5 and stddev_samp(run_rank) > 0 and stddev_samp(value_rank) > 0

    qualify row_number() over (partition by configuration order by position desc) = 1

)

select
    correlations.configuration,
    correlations.milestone,
    correlations.runs,
    correlations.rho,
    abs(correlations.rho) >= 1
    or abs(correlations.rho) * sqrt((correlations.runs - 2) / (1 - correlations.rho ^ 2)) > quantile.t as is_significant

from correlations

left join t_quantile as quantile
    on least(correlations.runs - 2, 200) = quantile.df and quantile.level = 0.95
