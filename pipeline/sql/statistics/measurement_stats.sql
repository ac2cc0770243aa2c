-- One row per configuration, metric, unit, label and load, over used runs. The run is the unit: several values of a
-- run are averaged first. The interval holds spread and rounding: a value is known to its last printed decimal, which
-- counts where all runs give the same. An outage of clients is known to between the answers around it, no matter how
-- many decimals their times have. Figures that do not stand for their run (`measurement.is_valid`) are left out. A run
-- in which no failover was found still counts here.
-- from: measurement by configuration, metric, unit, label, clients; of value
-- columns:
--   metric: metric
--   stddev: sample standard deviation; null for one run
--   ci95_low: lower end of the 95 % interval of the mean; null below three runs; never below zero for a duration
--   ci95_high: upper end
--   uncertainty: standard uncertainty of one run's value by the decimals that are printed, or the bounds of an outage
--   common_error: half a unit of the last printed decimal, or half the width of the bounds, where all runs give the
--     same value; else 0
--   min: least
--   median: median
--   max: greatest
with

per_run as (

    select
        measurement.configuration,
        measurement.run, measurement.metric, measurement.unit, measurement.label, measurement.clients,
        favg(measurement.value order by measurement.value) as value,
        min(
            case
                when outage.outage_high_s > outage.outage_low_s then outage.outage_high_s - outage.outage_low_s
                when abs(round(measurement.value, 0) - measurement.value) <= 1e-12 * abs(measurement.value) then 1
                when abs(round(measurement.value, 1) - measurement.value) <= 1e-12 * abs(measurement.value) then 0.1
                when abs(round(measurement.value, 2) - measurement.value) <= 1e-12 * abs(measurement.value) then 0.01
                when abs(round(measurement.value, 3) - measurement.value) <= 1e-12 * abs(measurement.value) then 0.001
                when abs(round(measurement.value, 6) - measurement.value) <= 1e-12 * abs(measurement.value) then 0.000001
                else 0.000000001
            end
        ) as resolution

    from measurement

    left join run using (configuration, run)

    left join client_outage as outage
        on
            measurement.metric = 'client_outage_s'
            and measurement.configuration = outage.configuration
            and measurement.run = outage.run
            and measurement.label is not distinct from outage.target
            and measurement.file_id = outage.file_id
            and measurement.line_no = outage.line_no

    where
        measurement.is_valid
        and not coalesce(
            list_has_any(string_split(run.flags, ', '), ['excluded', 'copy', 'extra_incident']),
            false
        )

    group by
        measurement.configuration,
        measurement.run, measurement.metric, measurement.unit, measurement.label, measurement.clients

),

spread as (

    select
        configuration, metric, unit, label, clients,
        count(*) as runs,
        favg(value order by value) as mean,
        case when count(*) > 1 then stddev_samp(value order by value) end as stddev,
        min(resolution) as resolution,
        min(value) as min,
        median(value) as median,
        max(value) as max

    from per_run

    where value is not null and run is not null

    group by configuration, metric, unit, label, clients

),

intervals as (

    select
        spread.*,
        spread.resolution / sqrt(12) as uncertainty,
        case when spread.runs > 1 and spread.min = spread.max then spread.resolution / 2 else 0 end as common_error,
        half_width(quantile.t, spread.stddev, uncertainty, spread.runs, common_error) as half_width,
        spread.unit in ('h', 'min', 's', 'ms', 'us', 'µs') and spread.min >= 0 as is_duration

    from spread

    left join t_quantile as quantile
        on least(spread.runs - 1, 200) = quantile.df and quantile.level = 0.95 and spread.runs >= 3

)

select
    spread.configuration,
    spread.metric,
    spread.unit,
    spread.runs,
    spread.mean,
    spread.stddev,
    100 * spread.stddev / nullif(abs(spread.mean), 0) as cv_pct,
    case
        when spread.half_width is null then null
        when spread.is_duration then greatest(spread.mean - spread.half_width, 0)
        else spread.mean - spread.half_width
    end as ci95_low,
    spread.mean + spread.half_width as ci95_high,
    spread.uncertainty,
    spread.common_error,
    spread.min,
    spread.median,
    spread.max,
    spread.label,
    spread.clients

from intervals as spread

left join configuration_order using (configuration)

order by
    natural_order(spread.metric),
    spread.metric, spread.unit, spread.label, spread.clients,
    configuration_order.position,
    spread.configuration
