-- One row per configuration, operation, cache and folder of disk tests: the disk as overhead per call plus bytes over
-- a rate. Aborted and verbose tests do not count. Simple (IBM): the call time of the smallest size is the overhead,
-- the throughput of the largest the rate. Fit: least squares over size and call time, through both points where there
-- are two sizes. A fit with a rate or an overhead that is no such thing gives way to the simple one.
-- from: disk_test by configuration, op, cached, folder; of sec_per_call; where sec_per_call > 0 and pages > 0 and status <> 'aborted' and not is_verbose
-- columns:
--   cached: through the cache of the file system; null where the output does not say
--   folder: folder that the tests wrote into or read from; empty where not known
--   tests: tests with a result
--   sizes: different sizes among them
--   min_pages: smallest size, pages per call
--   max_pages: largest size, pages per call
--   simple_mb_s: rate by the simple method, MB/s
--   simple_overhead_s: overhead by the simple method, seconds per call
--   fit_mb_s: rate by least squares, MB/s; null where the slope is not above zero
--   fit_overhead_s: overhead by least squares, seconds per call; below zero it is noise
--   method: fit, simple, or null with fewer than two sizes
--   disk_mb_s: rate to use, MB/s
--   disk_overhead_s: overhead to use, seconds per call
--   remark: why not the fit
with

tests as (

    select
        *,
        pages * 4096 as bytes_per_call,
        min(pages) over same_disk as min_pages,
        max(pages) over same_disk as max_pages

    from disk_test

    where sec_per_call > 0 and pages > 0 and status <> 'aborted' and not is_verbose

    window same_disk as (partition by configuration, op, cached, folder)

),

fitted as (

    select
        configuration,
        op,
        cached,
        folder,
        count(*) as tests,
        count(distinct pages) as sizes,
        min_pages,
        max_pages,
        regr_slope(sec_per_call, bytes_per_call order by sec_per_call, bytes_per_call) as slope,
        regr_intercept(sec_per_call, bytes_per_call order by sec_per_call, bytes_per_call) as intercept,
        favg(sec_per_call order by sec_per_call) filter (where pages = min_pages) as smallest_s,
        favg(mb_s order by mb_s) filter (where pages = max_pages) as largest_mb_s

    from tests

    group by configuration, op, cached, folder, min_pages, max_pages

),

evaluated as (

    select
        *,
        case when sizes > 1 then largest_mb_s end as simple_mb_s,
        case when sizes > 1 then smallest_s end as simple_overhead_s,
        case when sizes > 1 and slope > 0 then 1 / slope / 1e6 end as fit_mb_s,
        case when sizes > 1 then intercept end as fit_overhead_s,
        case
            when sizes < 2 then null
            when slope > 0 and intercept >= 0 then 'fit'
            else 'simple'
        end as method

    from fitted

)

select
    configuration,
    op,
    cached,
    folder,
    tests,
    sizes,
    min_pages,
    max_pages,
    simple_mb_s,
    simple_overhead_s,
    fit_mb_s,
    fit_overhead_s,
    method,
    case method when 'fit' then fit_mb_s when 'simple' then simple_mb_s end as disk_mb_s,
    case method when 'fit' then fit_overhead_s when 'simple' then simple_overhead_s end as disk_overhead_s,
    case
        when sizes < 2 then 'one size only: at least two are needed'
        when method = 'fit' then null
        when slope <= 0 then 'larger writes were not slower: the times are noise, the simple method is used'
        else 'the fit gives an overhead below zero: the times are noise, the simple method is used'
    end as remark

from evaluated

order by configuration, op desc, cached, folder
