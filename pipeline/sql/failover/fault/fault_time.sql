-- One row per run whose logs tell when the fault happened: all sources of `fault_estimate` but study.toml, intersected. UTC.
-- The fault lies in every interval, so it lies in what they have in common. The sources are taken in order of trust; one that has nothing in
-- common with those before it is left out (`fault_disagreement` has it). Lines of LLT and GAB rest on one tick, those of corosync on one token: of
-- each the most trusted source counts alone, unless it rests on a timer that no file specifies, as bounds that lean to one side
-- together would draw the middle there. A marker line is written by a person at another moment than the crash, and an
-- announced departure is the fault itself: these are never intersected. The best estimate is the middle of what all leave; where a client's
-- questions are trusted most it is theirs, if the others leave it. What leaves more than an hour, in which steps are looked for, is no fault time.
-- materialised: read by the runs and the report
-- rows by: configuration
-- empty without rows of: fault_estimate
-- columns:
--   middle_at: the best estimate
--   source: the source that is trusted most
--   sources: the sources that the interval rests on, the most trusted first
--   low_source: the source that says that the fault was no earlier
--   high_source: the source that says that it was no later
--   line_count: log lines of these sources
--   is_assumed: the interval ends where a timer allows that neither a file nor a line shows
--   is_inferred: it ends where a timer allows that lines of the configuration show
--   is_consistent: the lines of the most trusted source have a common part
--   common_error_s: as in `fault_estimate`
--   common_cause: as in `fault_estimate`; of an interval that two sources bound, both
--   file_id: file of the first line of the most trusted source
--   line_no: first line
with recursive

ordered as (

    select
        *,
        epoch_us(low_at) as low_us,
        epoch_us(high_at) as high_us,
        case
            when source in ('inactive series', 'in trouble', 'expired', 'membership', 'had membership') then 'llt'
            when source in ('token loss', 'token timeout') then 'token'
            else source
        end as clockwork,
        row_number() over (partition by configuration, run order by rank, source) as place

    from fault_estimate

    where source <> 'manifest'

),

joined as (

    select
        configuration,
        run,
        place,
        low_us,
        high_us,
        source as low_source,
        source as high_source,
        [source] as sources,
        line_count,
        case when is_assumed or is_inferred then '' else clockwork end as resolved,
        source in ('shutdown notice', 'take-over command', 'marker line') or not is_consistent as is_final

    from ordered

    where place = 1

    union all

    select
        joined.configuration,
        joined.run,
        ordered.place,
        case when agreement.is_part then greatest(joined.low_us, ordered.low_us) else joined.low_us end,
        case when agreement.is_part then least(joined.high_us, ordered.high_us) else joined.high_us end,
        case when agreement.is_part and ordered.low_us > joined.low_us then ordered.source else joined.low_source end,
        case when agreement.is_part and ordered.high_us < joined.high_us then ordered.source else joined.high_source end,
        case when agreement.is_part then list_append(joined.sources, ordered.source) else joined.sources end,
        joined.line_count + case when agreement.is_part then ordered.line_count else 0 end,
        joined.resolved,
        joined.is_final

    from joined

    inner join ordered
        on joined.configuration = ordered.configuration and joined.run = ordered.run and joined.place + 1 = ordered.place

    cross join lateral (
        select
            not joined.is_final
            and ordered.is_consistent
            and ordered.clockwork <> joined.resolved
            and ordered.source not in ('shutdown notice', 'take-over command', 'marker line')
            and greatest(joined.low_us, ordered.low_us) < least(joined.high_us, ordered.high_us) as is_part
    ) as agreement

),

narrowest as (

    select *

    from joined

    qualify row_number() over (partition by configuration, run order by place desc) = 1

),

bounded as (

    select
        narrowest.configuration,
        narrowest.run,
        best.source,
        narrowest.low_us,
        narrowest.high_us,
        case
            when best.source = 'client questions' then greatest(narrowest.low_us, least(epoch_us(best.middle_at), narrowest.high_us))
            else narrowest.low_us + (narrowest.high_us - narrowest.low_us) // 2
        end as middle_us,
        (narrowest.high_us - narrowest.low_us) / 1000000 as width_s,
        narrowest.sources,
        narrowest.low_source,
        narrowest.high_source,
        narrowest.line_count,
        low_end.is_assumed or high_end.is_assumed as is_assumed,
        low_end.is_inferred or high_end.is_inferred as is_inferred,
        best.is_consistent,
        least(
            (low_end.timer_error_s + high_end.timer_error_s) / 2, (narrowest.high_us - narrowest.low_us) / 2000000
        ) as timer_error_s,
        greatest(low_end.common_share, high_end.common_share) as common_share,
        case
            when low_end.common_cause is not distinct from high_end.common_cause then low_end.common_cause
            else concat_ws(' and ', low_end.common_cause, high_end.common_cause)
        end as common_cause,
        best.file_id,
        best.line_no

    from narrowest

    inner join ordered as best
        on narrowest.configuration = best.configuration and narrowest.run = best.run and best.place = 1

    inner join ordered as low_end
        on
            narrowest.configuration = low_end.configuration
            and narrowest.run = low_end.run
            and narrowest.low_source = low_end.source

    inner join ordered as high_end
        on
            narrowest.configuration = high_end.configuration
            and narrowest.run = high_end.run
            and narrowest.high_source = high_end.source

)

select
    configuration,
    run,
    source,
    make_timestamp(low_us::bigint) as low_at,
    make_timestamp(middle_us::bigint) as middle_at,
    make_timestamp(high_us::bigint) as high_at,
    width_s,
    sources,
    low_source,
    high_source,
    line_count::integer as line_count,
    is_assumed,
    is_inferred,
    is_consistent,
    (timer_error_s + common_share * (width_s - 2 * timer_error_s))::double as common_error_s,
    common_cause,
    file_id,
    line_no

from bounded

where width_s <= 3600

order by configuration, run
