-- One row per run and fault that a test injected, with its beginning and its end. Times in UTC.
-- Those of Chaos Mesh, Litmus and toxiproxy are as in `logged_fault`. The nemesis of Jepsen says twice what it does: when asked, and when done. The fault began
-- between the two, and no line says when. What heals a fault of a kind is known by
-- its name: `stop-X` and `heal-X` end `start-X`, `start` and `restart` end `kill`, `resume` ends `pause`, `reset-clock` ends faults of clocks, `stop` and `heal` end any other.
-- A fault that nothing heals has no end. Checks and what prepares a test are no faults.
-- materialised: small, and read by outages and fault times
-- rows by: configuration
-- empty without rows of: test_operation, logged_fault
-- columns:
--   fault_no: number within the run, in the order of time, from 1
--   kind: what was done, as the test calls it: kill, start-partition, ...
--   target: what it was done to, as printed when it was asked
--   result: what came of it, as printed when it was done; null where no line says that
--   asked_at: it began no earlier
--   done_at: it began no later; null where no line says that it was done
--   end_asked_at: it ended no earlier; null where nothing ended it
--   end_done_at: it ended no later
--   file_id: file of the line on which it was asked
with

nemesis as (

    select
        *,
        f is distinct from lag(f) over in_order as is_new

    from test_operation

    where process = 'nemesis' and "at" is not null and run is not null

    window in_order as (partition by configuration, run order by "at", file_id, line_no)

),

series as (

    select
        *,
        count(*) filter (where is_new) over (
            partition by configuration, run order by "at", file_id, line_no rows unbounded preceding
        ) as series_no

    from nemesis

),

numbered as (

    select
        *,
        row_number() over in_series as place,
        lead("at") over in_series as done_at,
        lead(value) over in_series as result

    from series

    window in_series as (partition by configuration, run, series_no order by "at", file_id, line_no)

),

actions as (  -- every second line of a series is what came of the one before

    select
        configuration,
        run,
        f,
        "at" as asked_at,
        done_at,
        value as target,
        result,
        file_id,
        line_no,
        bool_or(f = 'kill') over (partition by configuration, run) as has_kill

    from numbered

    where place % 2 = 1

),

named as (

    select
        *,
        case
            when f in ('kill', 'pause') then f
            when f in ('restart', 'start-db', 'start-node', 'start-process') or (f = 'start' and has_kill) then 'kill'
            when f = 'resume' then 'pause'
            when f in ('bump-clock', 'strobe-clock', 'scramble-clock', 'reset-clock') then 'clock'
            when regexp_matches(f, '^(?:start|stop|heal|end)-.') then regexp_extract(f, '^(?:start|stop|heal|end)-(.*)$', 1)
        end as family,
        f in ('stop', 'heal', 'heal-all', 'stop-all', 'resume', 'restart', 'reset-clock', 'start-db', 'start-node', 'start-process')
        or (f = 'start' and has_kill)
        or regexp_matches(f, '^(?:stop|heal|end)-') as is_end

    from actions

    where not regexp_matches(f, '^(?:check|setup|teardown|log|nop|noop|info)\b')

),

ends as (

    select * from named where is_end

),

begun as (

    select
        named.*,
        ends.asked_at as end_asked_at,
        coalesce(ends.done_at, ends.asked_at) as end_done_at

    from named

    left join ends
        on
            named.configuration = ends.configuration
            and named.run = ends.run
            and ends.asked_at >= coalesce(named.done_at, named.asked_at)
            and (
                ends.family = named.family
                or (ends.family is null and (named.family is null or named.family not in ('kill', 'pause', 'clock')))
            )

    where not named.is_end

    qualify row_number() over (
        partition by named.configuration, named.run, named.asked_at, named.file_id, named.line_no order by ends.asked_at
    ) = 1

),

faults as (

    select
        configuration,
        run,
        f as kind,
        nullif(target, 'nil') as target,
        nullif(result, 'nil') as result,
        asked_at,
        done_at,
        end_asked_at,
        end_done_at,
        file_id,
        line_no

    from begun

    union all by name

    select * exclude (tool)

    from logged_fault

)

select
    configuration,
    run,
    row_number() over (partition by configuration, run order by asked_at, file_id, line_no, target)::integer as fault_no,
    kind,
    target,
    result,
    asked_at,
    done_at,
    end_asked_at,
    end_done_at,
    file_id,
    line_no

from faults

order by configuration, run, fault_no
