-- One row per configuration: statistics over the runs of a statement of the study, put where it is named.
with

per_run as (

    select
        configuration,
        run,
        favg(value order by value) as value

    from (
        values_of_the_study
    )

    where value is not null

    group by configuration, run

),

spread as (

    select
        configuration,
        count(*) as runs,
        favg(value order by value) as mean,
        case when count(*) > 1 then stddev_samp(value order by value) end as stddev

    from per_run

    group by configuration

)

select
    spread.configuration,
    spread.runs,
    spread.mean,
    spread.stddev,
    spread.mean - quantile.t * nullif(spread.stddev, 0) / sqrt(spread.runs) as ci95_low,
    spread.mean + quantile.t * nullif(spread.stddev, 0) / sqrt(spread.runs) as ci95_high

from spread

left join t_quantile as quantile
    on least(spread.runs - 1, 200) = quantile.df and quantile.level = 0.95 and spread.runs >= 3

order by spread.configuration
