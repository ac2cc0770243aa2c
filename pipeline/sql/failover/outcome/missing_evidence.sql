-- One row per stack whose lines were read in a configuration without an incident: what its lines lack to show one.
-- columns:
--   stack: cluster stack; vcs, llt, gab or db2diag for these logs
--   lines: dated lines of the stack that can be evidence
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

stacks as (

    select
        cluster_line.configuration,
        coalesce(cluster_line.stack, cluster_line.source) as stack,
        count(*) as lines,
        arg_min(struct_pack(file_id := cluster_line.file_id, line_no := cluster_line.line_no), cluster_line."at") as place

    from cluster_line

    inner join without_incident using (configuration)

    where cluster_line.source <> 'client'

    group by all

),

lacking as (

    select
        cluster_line.configuration,
        coalesce(cluster_line.stack, cluster_line.source) as stack,
        count(distinct (loss_candidate.file_id, loss_candidate.line_no)) as losses,
        mode(loss_candidate.missing) as missing,
        arg_min(struct_pack(file_id := loss_candidate.file_id, line_no := loss_candidate.line_no), loss_candidate."at") as place

    from loss_candidate

    inner join cluster_line using (file_id, line_no)

    where loss_candidate.taken_for = 'none'

    group by all

)

select
    stacks.configuration,
    stacks.stack,
    stacks.lines,
    coalesce(lacking.losses, 0) as losses,
    lacking.missing,
    case
        when lacking.losses is null
            then format('`{}`: no line says that a node or leader was lost or replaced ({} lines read).', stacks.stack, stacks.lines)
        else format(
            '`{}`: {} that a node or leader was lost or replaced; missing: {}.',
            stacks.stack,
            case when lacking.losses = 1 then '1 line says' else lacking.losses || ' lines say' end,
            coalesce(lacking.missing, 'another line')
        )
    end as text,
    coalesce(lacking.place, stacks.place).file_id as file_id,
    coalesce(lacking.place, stacks.place).line_no as line_no

from stacks

left join lacking using (configuration, stack)

order by coalesce(lacking.losses, 0) desc, stacks.lines desc, stacks.configuration, stacks.stack
