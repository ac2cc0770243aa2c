-- One row per configuration of `hadr_network` and disk to reckon with: those that its runs simulated, the one
-- declared, the one tested. `stated`: factors `disk_mb_s` and `disk_overhead_s` in study.toml. Tested: the fit of its
-- own disk tests, else the only fit of the study. hadrCalculator.pl was given one as well. Only writes that go past
-- the cache count.
-- from: simhadr_run by configuration; of disk_mb_s
-- from: disk_test by configuration; of sec_per_call
-- columns:
--   disk: simulated, stated, tested, calculated, or infinitely fast
--   disk_source: in words
--   disk_mb_s: transfer rate of the primary's disk, MB/s; null: infinitely fast
--   standby_disk_mb_s: transfer rate of the standby's disk, MB/s
with

simulated as (

    select distinct configuration, disk_mb_s, disk_overhead_s, standby_disk_mb_s, standby_disk_overhead_s

    from simhadr_repeat

),

declared as (

    select
        configuration,
        max(number) filter (where factor = 'disk_mb_s') as disk_mb_s,
        coalesce(max(number) filter (where factor = 'disk_overhead_s'), 0) as disk_overhead_s

    from configuration_factor

    where factor in ('disk_mb_s', 'disk_overhead_s')

    group by configuration

),

fits as (

    select configuration, disk_mb_s, disk_overhead_s, method

    from hadr_disk_fit

    where op = 'write' and cached is distinct from true and method is not null

),

only_fit as (

    select min(configuration) as configuration from fits having count(*) = 1

),

tested as (

    select
        network.configuration,
        fits.disk_mb_s,
        fits.disk_overhead_s,
        'disk tests'
        || case when fits.configuration = network.configuration then '' else ' of ' || fits.configuration end
        || ', ' || case fits.method when 'fit' then 'least squares' else 'simple method' end as disk_source

    from hadr_network as network

    inner join fits
        on
            fits.configuration = network.configuration
            or (
                fits.configuration = (select only_fit.configuration from only_fit)
                and network.configuration not in (select own.configuration from fits as own)
            )

),

disks as (

    select
        configuration,
        case when disk_mb_s is null and standby_disk_mb_s is null then 'infinitely fast' else 'simulated' end as disk,
        case when disk_mb_s is null and standby_disk_mb_s is null then 'no disk simulated' else 'option -disk' end
            as disk_source,
        disk_mb_s,
        disk_overhead_s,
        standby_disk_mb_s,
        standby_disk_overhead_s

    from simulated

    union all

    select configuration, 'stated', 'study.toml', disk_mb_s, disk_overhead_s, disk_mb_s, disk_overhead_s

    from declared

    where disk_mb_s is not null

    union all

    select configuration, 'tested', disk_source, disk_mb_s, disk_overhead_s, disk_mb_s, disk_overhead_s

    from tested

    union all

    select distinct
        configuration,
        'calculated',
        'hadrCalculator.pl',
        disk_mb_s * 1.048576,
        disk_overhead_s,
        disk_mb_s * 1.048576,
        disk_overhead_s

    from hadrcalc_run

    where disk_mb_s is not null

)

select disks.*

from disks

inner join hadr_network as network using (configuration)

order by disks.configuration, disks.disk, disks.disk_mb_s, disks.disk_overhead_s, disks.standby_disk_mb_s,
    disks.standby_disk_overhead_s
