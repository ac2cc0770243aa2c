-- One row per run and pair of sources whose fault times are more than 2 s apart (middles compared).
-- A wrong timer label, clock skew, or timers that fired early. A true fault time from study.toml is compared too.
-- columns:
--   configuration: folder group
--   run: run
--   source: better source
--   other_source: other source, or true_fault_at
--   difference_s: other minus better, seconds
--   is_assumed: the other source rests on a default timer
--   file_id: file of the other source
--   line_no: line of the other source
with

best as (

    select *

    from fault_estimate

    qualify row_number() over (partition by configuration, run order by rank) = 1

),

others as (

    select configuration, run, source, middle_at, is_assumed, file_id, line_no, rank from fault_estimate
    union all
    select best.configuration, best.run, 'true_fault_at', recorded_run.true_fault_at, false, null, null, 100

    from best

    inner join study.run as recorded_run
        on best.configuration = recorded_run.configuration and same_run(recorded_run.run, best.run)

    where recorded_run.true_fault_at is not null

)

select
    best.configuration,
    best.run,
    best.source,
    others.source as other_source,
    (epoch_us(others.middle_at) - epoch_us(best.middle_at)) / 1000000 as difference_s,
    others.is_assumed,
    others.file_id,
    others.line_no

from best

inner join others
    on best.configuration = others.configuration and best.run = others.run and best.rank < others.rank

where abs(epoch_us(others.middle_at) - epoch_us(best.middle_at)) > 2000000
