-- One row per configuration that simhadr or hadrCalculator.pl mentions: send rate and round trip time, and how they
-- are known. Declared in study.toml (factors `network_mb_s` and `round_trip_s`), else measured: the send rate is the
-- best throughput of a mode that waits for nothing; shipping time of NEARSYNC is send time plus round trip, so that
-- flush sizes distinguish both. Else as hadrCalculator.pl was given.
-- from: simhadr_run by configuration; of mb_s
-- columns:
--   send_mb_s: send rate, MB/s of 10^6 bytes; null if unknown
--   send_source: stated, asynchronous run, shipping times, or hadrCalculator.pl
--   round_trip_source: stated, shipping times, shipping time less send time, or hadrCalculator.pl
--   is_loopback: measured between ends on one host
with

declared as (

    select
        configuration,
        max(number) filter (where factor = 'network_mb_s') as send_mb_s,
        max(number) filter (where factor = 'round_trip_s') as round_trip_s

    from configuration_factor

    where factor in ('network_mb_s', 'round_trip_s')

    group by configuration

),

asynchronous as (

    select configuration, max(mean_mb_s) as send_mb_s, bool_or(is_loopback) as is_loopback

    from simhadr_repeat

    where syncmode in ('ASYNC', 'SUPERASYNC', 'RCU') and target_mb_s is null and not is_verbose

    group by configuration

),

shippings as (  -- mean shipping time of a flush size

    select
        configuration,
        flush_pages * 4096 as flush_bytes,
        favg(shipping_s / flushes order by shipping_s / flushes) as shipping_s,
        bool_or(is_loopback) as is_loopback

    from simhadr_run

    where
        role = 'primary'
        and syncmode = 'NEARSYNC'
        and status = 'complete'
        and flushes > 0
        and shipping_s is not null
        and target_mb_s is null
        and not is_verbose

    group by configuration, flush_pages

),

lines as (

    select
        configuration,
        regr_slope(shipping_s, flush_bytes order by shipping_s, flush_bytes) as slope,
        regr_intercept(shipping_s, flush_bytes order by shipping_s, flush_bytes) as intercept,
        count(*) > 1 and slope > 0 and intercept > 0 as is_usable,
        bool_or(is_loopback) as is_loopback

    from shippings

    group by configuration

),

fitted as (

    select
        configuration,
        case when is_usable then 1 / slope / 1e6 end as send_mb_s,
        case when is_usable then intercept end as round_trip_s,
        is_loopback

    from lines

),

calculated as (  -- MB of 2^20 bytes

    select
        source_file.configuration,
        max(figure.value) filter (where figure.name = 'network_mb_s') * 1.048576 as send_mb_s,
        max(figure.value) filter (where figure.name = 'round_trip_s') as round_trip_s

    from log.hadr_figure as figure

    inner join source_file using (file_id)

    where source_file.format = 'hadr_calculator'

    group by source_file.configuration

    -- a folder with calculations for several networks is of none
    having count(distinct figure.value) filter (where figure.name = 'network_mb_s') = 1

),

configurations as (

    select configuration from simhadr_run where configuration is not null
    union
    select configuration from calculated where configuration is not null

),

sent as (

    select
        configurations.configuration,
        coalesce(declared.send_mb_s, asynchronous.send_mb_s, fitted.send_mb_s, calculated.send_mb_s) as send_mb_s,
        case
            when declared.send_mb_s is not null then 'stated'
            when asynchronous.send_mb_s is not null then 'asynchronous run'
            when fitted.send_mb_s is not null then 'shipping times'
            when calculated.send_mb_s is not null then 'hadrCalculator.pl'
        end as send_source,
        declared.round_trip_s as declared_round_trip_s,
        fitted.round_trip_s as fitted_round_trip_s,
        calculated.round_trip_s as calculated_round_trip_s,
        case
            when declared.send_mb_s is null or declared.round_trip_s is null
                then coalesce(asynchronous.is_loopback, fitted.is_loopback)
        end as is_loopback

    from configurations

    left join declared using (configuration)

    left join asynchronous using (configuration)

    left join fitted using (configuration)

    left join calculated using (configuration)

),

remainders as (

    select
        sent.configuration,
        favg(
            shippings.shipping_s - shippings.flush_bytes / (sent.send_mb_s * 1e6)
            order by shippings.shipping_s, shippings.flush_bytes, sent.send_mb_s
        ) as round_trip_s

    from sent

    inner join shippings using (configuration)

    where sent.send_mb_s > 0

    group by sent.configuration

)

select
    sent.configuration,
    sent.send_mb_s,
    sent.send_source,
    coalesce(
        sent.declared_round_trip_s,
        sent.fitted_round_trip_s,
        case when remainders.round_trip_s > 0 then remainders.round_trip_s end,
        sent.calculated_round_trip_s
    ) as round_trip_s,
    case
        when sent.declared_round_trip_s is not null then 'stated'
        when sent.fitted_round_trip_s is not null then 'shipping times'
        when remainders.round_trip_s > 0 then 'shipping time less send time'
        when sent.calculated_round_trip_s is not null then 'hadrCalculator.pl'
    end as round_trip_source,
    sent.is_loopback

from sent

left join remainders using (configuration)

order by sent.configuration
