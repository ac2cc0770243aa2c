-- One row per configuration: of how many runs the service came back by itself, with Wilson's interval of the share.
-- Over runs of `run_outcome` that are not planned and not excluded; a run whose outcome is not known has not been seen
-- to recover.
-- from: run_outcome by configuration; of censored_s; where is_counted
-- columns:
--   kinds: how many kinds of fault the runs had
--   fault_kinds: kinds of fault of the runs, with their number: of several the share is one of a mixture, see
--     `recovery_by_kind`
--   headline: step that time to recovery is counted to; null where no run shows one
--   last_steps: all steps that a run must show to have recovered, by place
with

counts as (

    select
        configuration,
        sum(runs)::bigint as runs,
        sum(recovered)::bigint as recovered,
        count(*) as kinds,
        string_agg(runs || ' ' || fault_kind, ', ' order by runs desc, fault_kind) as fault_kinds

    from recovery_by_kind

    group by configuration

),

steps as (

    select
        configuration,
        max(milestone) filter (where is_headline) as headline,
        list(milestone order by position) as last_steps

    from recovery_step

    group by configuration

),

shares as (

    select *, recovered / runs as share from counts

)

select
    shares.configuration,
    shares.runs,
    shares.recovered,
    shares.share,
    wilson_bound(shares.recovered, shares.runs, -1) as ci95_low,
    wilson_bound(shares.recovered, shares.runs, 1) as ci95_high,
    steps.headline,
    steps.last_steps,
    shares.kinds,
    shares.fault_kinds

from shares

left join steps using (configuration)

left join configuration_order using (configuration)

order by configuration_order.position, shares.configuration
