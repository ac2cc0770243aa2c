-- One row per configuration and kind of fault: of how many runs the service came back by itself, with Wilson's interval of the share.
-- Over runs of `run_outcome` that are not planned and not excluded; a run whose outcome is not known has not been seen to recover.
-- from: run by configuration, fault_kind
-- columns:
--   fault_kind: kind of fault of the runs; `not known` where no line and no study.toml says it
--   recovered: runs that recovered by themselves
--   share: recovered / runs
--   ci95_low: lower end of Wilson's 95 % interval of the share
--   ci95_high: upper end
with

counts as (

    select
        run_outcome.configuration,
        coalesce(run.fault_kind, 'not known') as fault_kind,
        count(*) as runs,
        count(*) filter (where run_outcome.outcome = 'recovered') as recovered

    from run_outcome

    inner join run using (configuration, run)

    where run_outcome.is_counted

    group by run_outcome.configuration, coalesce(run.fault_kind, 'not known')

),

shares as (

    select *, recovered / runs as share, 1.959963984540054 as z from counts

)

select
    shares.configuration,
    shares.fault_kind,
    shares.runs,
    shares.recovered,
    shares.share,
    -- rounding may leave a share of 0 or 1 outside of its interval
    case
        when shares.recovered = 0 then 0
        else (share + z ^ 2 / (2 * runs) - z * sqrt(share * (1 - share) / runs + z ^ 2 / (4 * runs ^ 2))) / (1 + z ^ 2 / runs)
    end as ci95_low,
    case
        when shares.recovered = shares.runs then 1
        else (share + z ^ 2 / (2 * runs) + z * sqrt(share * (1 - share) / runs + z ^ 2 / (4 * runs ^ 2))) / (1 + z ^ 2 / runs)
    end as ci95_high

from shares

left join configuration_order using (configuration)

order by configuration_order.position, shares.configuration, shares.fault_kind
