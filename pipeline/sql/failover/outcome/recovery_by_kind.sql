-- One row per configuration and kind of fault: of how many runs the service came back by itself, with Wilson's
-- interval of the share. Over runs of `run_outcome` that are not planned and not excluded; a run whose outcome is not
-- known has not been seen to recover.
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

    select *, recovered / runs as share from counts

)

select
    shares.configuration,
    shares.fault_kind,
    shares.runs,
    shares.recovered,
    shares.share,
    wilson_bound(shares.recovered, shares.runs, -1) as ci95_low,
    wilson_bound(shares.recovered, shares.runs, 1) as ci95_high

from shares

left join configuration_order using (configuration)

order by configuration_order.position, shares.configuration, shares.fault_kind
