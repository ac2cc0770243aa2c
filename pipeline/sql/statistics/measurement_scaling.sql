-- One row per configuration, rate and load (clients, threads, queues) where several loads were measured: what more of
-- them bring. Mean over used runs. The first point is that of the least load; a step that brings less than a quarter
-- of the step before it is reported.
-- from: measurement_stats by configuration, metric, unit, label, clients; of mean; except speed_up, efficiency, marginal_gain, is_saturated
-- from: measurement_stats by configuration, metric, unit, label; of mean; except runs, mean, per_client
-- columns:
--   clients: clients, threads or queues
--   mean: mean rate
--   per_client: rate per client
--   speed_up: rate over that of the first point
--   efficiency: speed-up over the growth of the load: 1 is linear
--   marginal_gain: rate gained per client added since the point before; null for the first
--   is_saturated: the step gained nothing, or less than 25 % per client of the step before
with

points as (

    select
        configuration, metric, unit, label, clients, runs,
        mean,
        first(mean) over load as first_mean,
        first(clients) over load as first_clients,
        (mean - lag(mean) over load) / nullif(clients - lag(clients) over load, 0) as marginal_gain

    from measurement_stats

    where unit in ('1/s', '1/min', '1/h') and clients > 0

    window load as (partition by configuration, metric, unit, label order by clients)

    qualify count(*) over (partition by configuration, metric, unit, label) > 1

)

select
    configuration, metric, unit, label, clients, runs,
    mean,
    mean / clients as per_client,
    mean / nullif(first_mean, 0) as speed_up,
    (mean / nullif(first_mean, 0)) / (clients::double / first_clients) as efficiency,
    marginal_gain,
    marginal_gain <= 0
    or coalesce(
        marginal_gain < 0.25 * lag(marginal_gain) over (partition by configuration, metric, unit, label order by clients),
        false
    ) as is_saturated

from points

order by configuration, metric, unit, label, clients
