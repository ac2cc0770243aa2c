-- One row per used run and milestone that lies far from the other runs of its configuration. Flagged, never dropped.
-- Tukey's fences (1.5 and 3 times the distance of the quartiles) and the modified z value (0.6745 |x - median| / MAD
-- over 3.5), from four runs on; a deviation within the resolution of the stamps, or within half the interval of the
-- fault time, is none. More than one normal sample of ten in four has such a point.
-- columns:
--   elapsed_s: seconds after the fault
--   median_s: median of the configuration, seconds
--   tukey: mild, extreme, or null
--   modified_z: modified z value; null if more than half of the runs agree
with

used as (

    select
        milestone.*,
        (epoch_us(run.fault_at_high) - epoch_us(coalesce(run.fault_at_low, run.fault_at))) / 2000000 as fault_error_s

    from counted_milestone as milestone

    inner join run using (configuration, run)

),

quartiles as (

    select
        configuration,
        milestone,
        median(elapsed_s) as median_s,
        quantile_cont(elapsed_s, 0.25) as q1_s,
        quantile_cont(elapsed_s, 0.75) as q3_s,
        mad(elapsed_s) as mad_s

    from used

    group by configuration, milestone

    having count(*) >= 4

),

evaluated as (

    select
        used.configuration,
        used.run,
        used.milestone,
        used.elapsed_s,
        quartiles.median_s,
        case
            when used.elapsed_s < quartiles.q1_s - 3 * (quartiles.q3_s - quartiles.q1_s)
                or used.elapsed_s > quartiles.q3_s + 3 * (quartiles.q3_s - quartiles.q1_s) then 'extreme'
            when used.elapsed_s < quartiles.q1_s - 1.5 * (quartiles.q3_s - quartiles.q1_s)
                or used.elapsed_s > quartiles.q3_s + 1.5 * (quartiles.q3_s - quartiles.q1_s) then 'mild'
        end as tukey,
        0.6745 * abs(used.elapsed_s - quartiles.median_s) / nullif(quartiles.mad_s, 0) as modified_z,
        greatest(used.resolution_s, used.fault_error_s) as error_s,
        used.file_id,
        used.line_no

    from used

    inner join quartiles using (configuration, milestone)

)

select configuration, run, milestone, elapsed_s, median_s, tukey, modified_z, file_id, line_no

from evaluated

where (tukey is not null or modified_z > 3.5) and abs(elapsed_s - median_s) > error_s
