-- A cluster gave up its resources, was active on both nodes, or could not fence a node.
-- severity: warning
select
    configuration,
    unit_run as run,
    format(
        '{} `{}` at {}{}.',
        case kind
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

where kind in ('give_up', 'split_brain', 'fence_failed')

group by configuration, unit_run, node, kind
