-- One row per configuration and timer of node loss that its own logs bound: what all its runs say together. Seconds.
-- All runs of a configuration have the same timers, so that the intervals of their lines (`timer_evidence`) are intersected; where they
-- contradict each other the interval is their hull.
-- materialised: small, and read by every step of the failover analysis
-- rows by: configuration
-- empty without rows of: cluster_line, ha_line
-- columns:
--   timer: as in `timer_evidence`
--   is_consistent: the intervals of all lines have a common part
--   runs: runs whose lines bound it on both sides
--   unit_run: run of the line that bounds it best
with

bounds as (

    select
        configuration,
        timer,
        coalesce(max(low_s) <= min(high_s), true) as is_consistent,
        max(low_s) as inner_low_s,
        min(high_s) as inner_high_s,
        min(low_s) as outer_low_s,
        max(high_s) as outer_high_s,
        count(distinct coalesce(unit_run, '')) filter (where low_s is not null and high_s is not null) as runs

    from timer_evidence

    group by configuration, timer

),

best as (

    select configuration, timer, unit_run, file_id, line_no

    from timer_evidence

    qualify row_number() over (
        partition by configuration, timer
        order by
            low_s is null or high_s is null,
            round(high_s - low_s, 3),
            case when timer = 'deadtime' then high_s else -low_s end,
            unit_run,
            file_id,
            line_no
    ) = 1

)

select
    bounds.configuration,
    bounds.timer,
    greatest(case when bounds.is_consistent then bounds.inner_low_s else bounds.outer_low_s end, 0) as low_s,
    case when bounds.is_consistent then bounds.inner_high_s else bounds.outer_high_s end as high_s,
    bounds.is_consistent,
    bounds.runs::integer as runs,
    best.unit_run,
    best.file_id,
    best.line_no

from bounds

inner join best using (configuration, timer)

order by bounds.configuration, bounds.timer
