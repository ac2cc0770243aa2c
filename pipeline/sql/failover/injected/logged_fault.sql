-- One row per fault that the log of Chaos Mesh, Litmus or toxiproxy shows, with its beginning and its end. Times in UTC.
-- A stamp means the time from its own to the next possible one: a line in whole seconds is up to a second late. What is injected into one object within 2 s is one fault.
-- An end that names no object ends all faults of the tool. Several toxics on one proxy end with the last that is taken away.
-- materialised: small, and read by injected_fault
-- rows by: configuration
-- empty without rows of: ha_line
-- columns:
--   tool: chaos_mesh, litmus, toxiproxy
--   kind: what was done, as the tool calls it: PodChaos pod-kill, container-kill, toxic, closed, ...
--   target: what it was done to; null where the log does not tell
--   asked_at: it began no earlier
--   done_at: it began no later; null where no line says that it was done
--   end_asked_at: it ended no earlier; null where nothing ended it, or the tool says so only afterwards
--   end_done_at: it ended no later
--   file_id: file of the line that shows it first
with

marked as (

    select
        configuration,
        unit_run as run,
        stack as tool,
        object,
        action,
        kind,
        kind in ('fault_asked', 'fault_injected') as is_begin,
        "at",
        "at" + to_microseconds((1000000 * resolution_s)::bigint) as until_at,
        file_id,
        line_no,
        row_number() over (order by configuration, unit_run, "at", file_id, line_no, part) as mark_no

    from ha_line

    where kind in ('fault_asked', 'fault_injected', 'fault_ended', 'fault_over') and unit_run is not null

),

cleared as (

    select
        *,
        count(*) filter (where object is null and not is_begin) over (
            partition by configuration, run, tool order by mark_no rows unbounded preceding
        ) as clearing_no

    from marked

),

marks as (  -- a toxic that is taken away while others of its proxy stay is no end

    select * exclude (clearing_no)

    from cleared

    qualify
        is_begin
        or action is distinct from 'toxic'
        or sum(case when action is distinct from 'toxic' then 0 when is_begin then 1 else -1 end) over (
            partition by configuration, run, tool, object, clearing_no order by mark_no rows unbounded preceding
        ) <= 0

),

neighbours as (

    select
        *,
        lag(kind) over of_object as last_kind,
        lag("at") over of_object as last_at,
        lag(is_begin) over of_tool as follows_begin

    from marks

    window
        of_object as (partition by configuration, run, tool, object order by mark_no),
        of_tool as (partition by configuration, run, tool order by mark_no)

),

series as (

    select
        *,
        count(*) filter (
            where is_begin and case
                when kind = 'fault_injected' and object is null and follows_begin then false
                when last_kind is null or last_kind in ('fault_ended', 'fault_over') then true
                when kind = 'fault_injected' and last_kind = 'fault_asked' then false
                else "at" > last_at + interval 2 second
            end
        ) over (partition by configuration, run, tool, object order by mark_no rows unbounded preceding) as series_no

    from neighbours

),

begun as (

    select
        configuration,
        run,
        tool,
        object,
        series_no,
        max(action) filter (where action <> 'chaos') as named_action,
        max(action) as action,
        min("at") as asked_at,
        min(until_at) filter (where kind = 'fault_injected') as injected_at,
        min(mark_no) as first_mark_no,
        max(mark_no) as last_mark_no,
        arg_min(file_id, mark_no) as file_id,
        arg_min(line_no, mark_no) as line_no

    from series

    where is_begin and series_no > 0

    group by configuration, run, tool, object, series_no

),

bounded as (

    select
        *,
        lead(first_mark_no) over (partition by configuration, run, tool, object order by series_no) as next_mark_no

    from begun

),

followed as (

    select
        bounded.*,
        marks.kind as next_kind,
        marks."at" as next_at,
        marks.until_at as next_until_at

    from bounded

    left join marks
        on
            bounded.configuration = marks.configuration
            and bounded.run = marks.run
            and bounded.tool = marks.tool
            and marks.mark_no > bounded.last_mark_no
            and marks.mark_no < coalesce(bounded.next_mark_no, 9223372036854775807)
            and (marks.object is null or marks.object = bounded.object or bounded.object is null)
            and marks.kind <> 'fault_asked'

)

select
    configuration,
    run,
    tool,
    coalesce(any_value(named_action), any_value(action), tool) as kind,
    object as target,
    any_value(asked_at) as asked_at,
    coalesce(any_value(injected_at), min(next_until_at) filter (where next_kind = 'fault_injected')) as done_at,
    case
        when arg_min(next_kind, next_at) filter (where next_kind in ('fault_ended', 'fault_over')) = 'fault_ended'
            then min(next_at) filter (where next_kind = 'fault_ended')
    end as end_asked_at,
    coalesce(min(next_until_at) filter (where next_kind = 'fault_over'), min(next_until_at) filter (where next_kind = 'fault_ended')) as end_done_at,
    any_value(file_id) as file_id,
    any_value(line_no) as line_no

from followed

group by configuration, run, tool, object, series_no

order by configuration, run, asked_at, file_id, line_no
