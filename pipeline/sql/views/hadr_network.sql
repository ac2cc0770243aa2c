-- One row per configuration that simhadr or hadrCalculator.pl speaks of: send rate and round trip time, and how they are known.
-- Stated in study.toml (factors `network_mb_s` and `round_trip_s`), else measured: the send rate is the best throughput of a mode that waits
-- for nothing; shipping time of NEARSYNC is send time plus round trip, so that flush sizes tell both apart. Else as hadrCalculator.pl was told.
-- columns:
--   configuration: folder group
--   send_mb_s: send rate, MB/s of 10^6 bytes; null if nothing tells
--   send_source: stated, asynchronous run, shipping times, or hadrCalculator.pl
--   round_trip_s: round trip time, seconds; null if nothing tells
--   round_trip_source: stated, shipping times, shipping time less send time, or hadrCalculator.pl
--   is_loopback: measured between ends on one host
with

stated as (

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
        favg(shipping_s / flushes) as shipping_s,
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

fitted as (

    select
        configuration,
        case
            when count(*) > 1 and regr_slope(shipping_s, flush_bytes) > 0 and regr_intercept(shipping_s, flush_bytes) > 0
                then 1 / regr_slope(shipping_s, flush_bytes) / 1e6
        end as send_mb_s,
        case
            when count(*) > 1 and regr_slope(shipping_s, flush_bytes) > 0 and regr_intercept(shipping_s, flush_bytes) > 0
                then regr_intercept(shipping_s, flush_bytes)
        end as round_trip_s,
        bool_or(is_loopback) as is_loopback

    from shippings

    group by configuration

),

calculated as (  -- MB of 2^20 bytes

    select
        source_file.configuration,
        max(figure.value) filter (where figure.name = 'network_mb_s') * 1.048576 as send_mb_s,
        max(figure.value) filter (where figure.name = 'round_trip_s') as round_trip_s

    from log.hadr_figure as figure

    inner join source_file
        on figure.file_id = source_file.file_id

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
        coalesce(stated.send_mb_s, asynchronous.send_mb_s, fitted.send_mb_s, calculated.send_mb_s) as send_mb_s,
        case
            when stated.send_mb_s is not null then 'stated'
            when asynchronous.send_mb_s is not null then 'asynchronous run'
            when fitted.send_mb_s is not null then 'shipping times'
            when calculated.send_mb_s is not null then 'hadrCalculator.pl'
        end as send_source,
        stated.round_trip_s as stated_round_trip_s,
        fitted.round_trip_s as fitted_round_trip_s,
        calculated.round_trip_s as calculated_round_trip_s,
        case
            when stated.send_mb_s is null or stated.round_trip_s is null
                then coalesce(asynchronous.is_loopback, fitted.is_loopback)
        end as is_loopback

    from configurations

    left join stated
        on configurations.configuration = stated.configuration

    left join asynchronous
        on configurations.configuration = asynchronous.configuration

    left join fitted
        on configurations.configuration = fitted.configuration

    left join calculated
        on configurations.configuration = calculated.configuration

),

remainders as (

    select
        sent.configuration,
        favg(shippings.shipping_s - shippings.flush_bytes / (sent.send_mb_s * 1e6)) as round_trip_s

    from sent

    inner join shippings
        on sent.configuration = shippings.configuration

    where sent.send_mb_s > 0

    group by sent.configuration

)

select
    sent.configuration,
    sent.send_mb_s,
    sent.send_source,
    coalesce(
        sent.stated_round_trip_s,
        sent.fitted_round_trip_s,
        case when remainders.round_trip_s > 0 then remainders.round_trip_s end,
        sent.calculated_round_trip_s
    ) as round_trip_s,
    case
        when sent.stated_round_trip_s is not null then 'stated'
        when sent.fitted_round_trip_s is not null then 'shipping times'
        when remainders.round_trip_s > 0 then 'shipping time less send time'
        when sent.calculated_round_trip_s is not null then 'hadrCalculator.pl'
    end as round_trip_source,
    sent.is_loopback

from sent

left join remainders
    on sent.configuration = remainders.configuration

order by sent.configuration
