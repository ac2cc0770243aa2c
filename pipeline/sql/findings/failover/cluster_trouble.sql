-- A cluster gave up its resources, was active on both nodes, or could not fence a node. That a node gives up from which
-- the network was cut is no trouble: it has to.
-- severity: warning
with

cut_off as (

    select incident.configuration, incident.unit_run, incident.lost_key, incident.search_start_at, incident.end_at

    from incident

    inner join fault_kind using (configuration, run)

    where fault_kind.fault_kind = 'network cut'

)

select
    ha_line.configuration,
    ha_line.unit_run as run,
    format(
        '{} `{}` at {}{}.',
        case ha_line.kind
            when 'give_up' then 'The cluster gave up its resources on'
            when 'split_brain' then 'Both nodes were active at once (split brain), according to'
            when 'fence_failed' then format('Fencing{} failed, according to', coalesce(' of `' || string_agg(distinct peer, '`, `' order by peer) || '`', ''))
        end,
        coalesce(node, 'a node without a name'),
        strftime(min("at"), '%Y-%m-%d %H:%M:%S'),
        case when count(*) > 1 then format('; {} lines say so', count(*)) else '' end
    ) as text,
    first(file_id order by "at", file_id, line_no) as file_id,
    first(line_no order by "at", file_id, line_no) as line_no

from ha_line

left join cut_off
    on
        ha_line.kind = 'give_up'
        and ha_line.configuration = cut_off.configuration
        and ha_line.unit_run is not distinct from cut_off.unit_run
        and ha_line.node_key = cut_off.lost_key
        and ha_line."at" >= cut_off.search_start_at
        and ha_line."at" < cut_off.end_at

where ha_line.kind in ('give_up', 'split_brain', 'fence_failed') and cut_off.configuration is null

group by ha_line.configuration, ha_line.unit_run, ha_line.node, ha_line.kind
