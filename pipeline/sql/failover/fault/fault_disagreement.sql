-- One row per run and pair of sources whose fault times are more than 2 s apart (middles compared), or cannot both be right.
-- A wrong timer label, clock skew, or timers that fired early. An interval that rests on a timer which no file specifies, and one whose ends are
-- single lines (a client's questions, the last words of the lost node or leader, a lost token), disagrees where it lies a tenth of a
-- second or more outside of what all others leave, and 2 s outside of a recorded time. A true fault time from study.toml is compared too.
-- columns:
--   source: better source
--   other_source: other source, or true_fault_at
--   difference_s: other minus better, seconds
--   is_assumed: the other source rests on a timer that no file specifies
--   file_id: file of the other source
with

best as (

    select *

    from fault_estimate

    qualify row_number() over (partition by configuration, run order by rank, source) = 1

),

others as (

    select
        configuration,
        run,
        source,
        low_at,
        middle_at,
        high_at,
        is_assumed or is_inferred as is_open,
        source in ('token loss', 'client questions', 'last words', 'leader signs') as is_sharp,
        file_id,
        line_no,
        rank

    from fault_estimate

    union all

    select
        best.configuration,
        best.run,
        'true_fault_at',
        recorded_run.true_fault_at,
        recorded_run.true_fault_at,
        recorded_run.true_fault_at,
        false,
        false,
        null,
        null,
        100

    from best

    inner join study.run as recorded_run
        on best.configuration = recorded_run.configuration and same_run(recorded_run.run, best.run)

    where recorded_run.true_fault_at is not null

),

pairs as (

    select
        best.configuration,
        best.run,
        best.source,
        others.source as other_source,
        (epoch_us(others.middle_at) - epoch_us(best.middle_at)) / 1000000 as difference_s,
        -- how far the other lies outside of what all evidence leaves, or of a recorded time
        greatest(
            epoch_us(others.low_at) - epoch_us(case when best.source = 'manifest' then best.high_at else fault_time.high_at end),
            epoch_us(case when best.source = 'manifest' then best.low_at else fault_time.low_at end) - epoch_us(others.high_at)
        ) / 1000000 as gap_s,
        others.is_open,
        others.is_open or best.is_assumed or best.is_inferred or others.is_sharp as is_by_gap,
        -- a person notes whole seconds
        case when best.source = 'manifest' then 2 else 0.1 end as least_gap_s,
        others.file_id,
        others.line_no

    from best

    inner join others
        on
            best.configuration = others.configuration
            and best.run = others.run
            and (best.rank, best.source) < (others.rank, others.source)

    left join fault_time
        on best.configuration = fault_time.configuration and best.run = fault_time.run

)

select configuration, run, source, other_source, difference_s, is_open as is_assumed, file_id, line_no

from pairs

where case when is_by_gap then gap_s >= least_gap_s else abs(difference_s) > 2 end
