-- One row per partition of the network: nodes that declared each other lost, and who served afterwards.
-- The winner is the node that started the service and stayed up; else the one that kept it. The others of its opponents must have gone down,
-- given the service up, lost the quorum or fallen silent; a node that had the service and went on shows a split brain, and where the
-- logs do not say that it had it, nothing can be decided. That the service stayed needs lines of half a minute more.
-- materialised: read by several steps of the failover analysis
-- rows by: configuration
-- empty without rows of: partition_node
-- columns:
--   outcome: moved (a winner started the service), split_brain, undecided, stayed (the winner kept it), both_down, not_started
--   winner: node that serves afterwards; the first to start where that is doubtful; null where none did
--   winner_key: the same in small letters
--   lost: nodes against it, in small letters; the one that had the service first
--   doubt: what shows the outcome, as part of a sentence
with

ranked as (

    select
        *,
        count(*) over event as nodes,
        count(*) filter (where down_at is null) over event as nodes_up,
        count(*) filter (where started_at is not null) over event as starters,
        row_number() over (
            partition by configuration, unit_run, event_no
            order by
                started_at is null,
                down_at is not null,
                started_s,
                -- nobody started: who had it, and is up
                case when started_at is null then served_at is null end,
                case when started_at is null then len(lost) = 0 end,
                node_key
        ) as place

    from partition_node

    window event as (partition by configuration, unit_run, event_no)

),

winners as (

    select * from ranked where place = 1

),

opponents as (

    select
        winners.configuration,
        winners.unit_run,
        winners.event_no,
        other.node,
        other.node_key,
        other.served_at,
        other.started_at,
        other.started_s,
        other.down_at,
        other.down_s,
        other.down_how,
        other.stopped_at,
        other.quorum_lost_at,
        other.last_s,
        other.last_at,
        coalesce(other.down_file_id, other.last_file_id) as file_id,
        coalesce(other.down_line_no, other.last_line_no) as line_no,
        -- half a minute is left for the last words of a node that is going down
        coalesce(other.last_s > coalesce(winners.started_s, 0) + 30, false) as is_alive,
        count(*) over (partition by winners.configuration, winners.unit_run, winners.event_no) as opponents

    from winners

    inner join partition_node as other
        on
            winners.configuration = other.configuration
            and winners.unit_run is not distinct from other.unit_run
            and winners.event_no = other.event_no
            and (
                list_contains(winners.lost, other.node_key)
                or (len(winners.lost) = 0 and list_contains(winners.lost_by, other.node_key))
            )

),

evaluated as (

    select
        *,
        case
            when down_how in ('fenced', 'panicked') and not (started_at is not null and coalesce(down_s, 0) > started_s + 30) then down_how
            when started_at is null and stopped_at is not null then 'stopped'
            when started_at is null and quorum_lost_at is not null then 'without_quorum'
            when not is_alive and down_how is not null and started_at is null then 'restarted'
            when not is_alive and started_at is null then 'silent'
            else 'alive'
        end as state,
        started_at is not null or served_at is not null as has_served

    from opponents

),

summed as (

    select
        configuration,
        unit_run,
        event_no,
        list(node_key order by served_at is null, state = 'alive', served_at desc, node_key) as lost,
        bool_or(state = 'alive' and has_served) as is_split,
        -- of two nodes the other one must have had what is started; of more, one that shows an end
        bool_or(state = 'alive' and not has_served) filter (where opponents = 1) as is_open,
        bool_and(state = 'alive') filter (where opponents > 1) as is_nobody_gone,
        first(state order by served_at is null, state = 'alive', node_key) as state,
        first(node order by served_at is null, state = 'alive', node_key) as lost_node,
        first(file_id order by served_at is null, state = 'alive', node_key) as file_id,
        first(line_no order by served_at is null, state = 'alive', node_key) as line_no,
        first(node order by not (state = 'alive' and has_served), started_at is null, node_key) as alive_node,
        bool_or(state = 'alive' and started_at is not null) as is_started_twice

    from evaluated

    group by configuration, unit_run, event_no

),

contradictions as (  -- the cluster itself says that two were active

    select distinct on (winners.configuration, winners.unit_run, winners.event_no)
        winners.configuration,
        winners.unit_run,
        winners.event_no,
        trouble.file_id,
        trouble.line_no

    from winners

    inner join ha_line as trouble
        on
            winners.configuration = trouble.configuration
            and winners.unit_run is not distinct from trouble.unit_run
            and trouble.kind = 'split_brain'
            and trouble.stack <> 'vxfen'
            and trouble."at" between winners.own_at and winners.end_at

    order by winners.configuration, winners.unit_run, winners.event_no, trouble."at", trouble.file_id, trouble.line_no

),

decided as (

    select
        winners.configuration,
        winners.unit_run,
        winners.event_no,
        winners.node as winner,
        winners.node_key as winner_key,
        summed.lost,
        summed.state,
        summed.lost_node,
        summed.alive_node,
        coalesce(summed.is_started_twice, false) as is_started_twice,
        coalesce(contradictions.file_id, summed.file_id, winners.down_file_id) as file_id,
        coalesce(contradictions.line_no, summed.line_no, winners.down_line_no) as line_no,
        contradictions.file_id is not null as is_contradicted,
        winners.served_at,
        case
            when winners.started_at is null and winners.nodes_up = 0 then 'both_down'
            when
                winners.started_at is null
                and (winners.down_at is not null or winners.served_at is null or not coalesce(winners.last_s > 30, false))
                then 'not_started'
            when winners.started_at is null then 'stayed'
            when winners.starters > 1 and winners.nodes_up = 0 and coalesce(summed.is_split, false) then 'undecided'
            when contradictions.file_id is not null or coalesce(summed.is_split, false) then 'split_brain'
            when coalesce(summed.is_open, false) or coalesce(summed.is_nobody_gone, false) then 'undecided'
            else 'moved'
        end as outcome

    from winners

    left join summed
        on
            winners.configuration = summed.configuration
            and winners.unit_run is not distinct from summed.unit_run
            and winners.event_no = summed.event_no

    left join contradictions
        on
            winners.configuration = contradictions.configuration
            and winners.unit_run is not distinct from contradictions.unit_run
            and winners.event_no = contradictions.event_no

)

select
    configuration,
    unit_run,
    event_no,
    outcome,
    winner,
    winner_key,
    coalesce(lost, []) as lost,
    case outcome
        when 'moved' then format(
            '`{}` started the service, and `{}` {}',
            winner,
            lost_node,
            case state
                when 'fenced' then 'was fenced'
                when 'panicked' then 'went down by itself'
                when 'stopped' then 'gave it up'
                when 'without_quorum' then 'lost the quorum'
                when 'restarted' then 'went down and started again'
                when 'silent' then 'wrote no further line'
                else 'shows no service'
            end
        )
        when 'split_brain' then
            case
                when is_started_twice then format('`{}` and `{}` both started the service', winner, alive_node)
                when is_contradicted then format('`{}` started the service, and a line reports that two nodes were active', winner)
                else format('`{}` started the service, while `{}` had it and shows no end of it', winner, alive_node)
            end
        when 'undecided' then format(
            '`{}` started the service, while `{}` went on; no line says which of them had it',
            winner,
            coalesce(alive_node, lost_node)
        )
        when 'stayed' then format('the service stayed on `{}`', winner)
        when 'both_down' then 'all of them went down before any started the service'
        else 'no line shows that any of them started the service afterwards'
    end as doubt,
    file_id,
    line_no

from decided

order by configuration, unit_run, event_no
