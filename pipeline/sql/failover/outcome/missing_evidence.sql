-- One row per stack whose lines were read in a configuration without an incident: what its lines lack to show one.
-- columns:
--   stack: cluster stack; vcs, llt, gab or db2diag for these logs
--   lines: lines of the stack that say something
--   losses: those that say that a node or leader is lost or replaced
--   missing: what most of them lack to be an incident; null where there are none
--   text: the same in a sentence
--   file_id: file of the first of them, else of the first line of the stack
with

without_incident as (

    select configuration from run_unit group by configuration

    except

    select configuration from run where not list_contains(string_split(flags, ', '), 'no_incident')

),

read_lines as (  -- of some only who leads is known, and some have no date

    select configuration, coalesce(stack, source) as stack, file_id, line_no, "at" from cluster_line where source <> 'client'

    union

    select configuration, stack, file_id, line_no, "at" from ha_event where kind not in ('log_noise', 'other')

    union

    select configuration, 'vcs', file_id, line_no, "at" from vcs_event where "at" is null

),

stacks as (

    select
        read_lines.configuration,
        read_lines.stack,
        count(*) as lines,
        count(read_lines."at") as dated_lines,
        arg_min(struct_pack(file_id := read_lines.file_id, line_no := read_lines.line_no), (read_lines."at", read_lines.file_id, read_lines.line_no)) as place

    from read_lines

    inner join without_incident using (configuration)

    group by all

),

lacking as (

    select
        cluster_line.configuration,
        coalesce(cluster_line.stack, cluster_line.source) as stack,
        count(distinct (loss_candidate.file_id, loss_candidate.line_no)) filter (where loss_candidate.taken_for = 'none') as losses,
        count(distinct (loss_candidate.file_id, loss_candidate.line_no)) filter (where loss_candidate.taken_for = 'planned') as departures,
        mode(loss_candidate.missing) as missing,
        arg_min(struct_pack(file_id := loss_candidate.file_id, line_no := loss_candidate.line_no), loss_candidate."at") as place

    from loss_candidate

    inner join cluster_line using (file_id, line_no)

    where loss_candidate.taken_for in ('none', 'planned')

    group by all

)

select
    stacks.configuration,
    stacks.stack,
    stacks.lines,
    coalesce(lacking.losses, 0) as losses,
    lacking.missing,
    format(
        '`{}`: {}.',
        stacks.stack,
        case
            when lacking.losses > 0
                then format(
                    '{} that a node or leader was lost or replaced; missing: {}',
                    case when lacking.losses = 1 then '1 line says' else lacking.losses || ' lines say' end,
                    coalesce(lacking.missing, 'another line')
                )
            when lacking.departures > 0 then 'a node left in order, and no line says that one was lost'
            when stacks.dated_lines = 0 then 'no line has a date, so that none is evidence'
            else format('no line says that a node or leader was lost or replaced (lines read: {})', stacks.lines)
        end
    ) as text,
    coalesce(lacking.place, stacks.place).file_id as file_id,
    coalesce(lacking.place, stacks.place).line_no as line_no

from stacks

left join lacking using (configuration, stack)

order by coalesce(lacking.losses, 0) desc, stacks.lines desc, stacks.configuration, stacks.stack
