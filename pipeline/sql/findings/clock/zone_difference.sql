-- Two nodes wrote of the same change whole quarter hours apart: the wall clock of one of them is of another time zone.
-- severity: warning
with

changes as (  -- what all members of a cluster write of one change: its new leader, its new ring, or a member that is gone

    select
        ha_line.configuration,
        ha_line.unit_run,
        ha_line.stack,
        ha_line.kind,
        case ha_line.kind when 'membership' then ha_line.object else ha_line.peer_key end as subject,
        ha_line.node,
        ha_line.node_key,
        ha_line."at",
        source_file.timezone_source = 'line' as has_zone,
        ha_line.file_id,
        ha_line.line_no

    from ha_line

    inner join source_file using (file_id)

    where
        ha_line.kind in ('leader', 'membership', 'member_gone')
        and case ha_line.kind when 'membership' then ha_line.object else ha_line.peer_key end is not null
        and ha_line.node_key is not null

),

alone as (  -- no other node wrote it at about that time

    select *

    from changes

    where not exists (

        select 1

        from changes as others

        where
            is_same_unit(others, changes)
            and others.stack = changes.stack
            and others.kind = changes.kind
            and others.subject = changes.subject
            and others.node_key <> changes.node_key
            and others."at" between changes."at" - interval 10 minute and changes."at" + interval 10 minute
    )

),

pairs as (

    select
        earlier.configuration,
        earlier.unit_run,
        earlier.node,
        later.node as later_node,
        round((epoch_us(later."at") - epoch_us(earlier."at")) / 900000000)::integer as quarters,
        earlier."at",
        later.file_id,
        later.line_no

    from alone as earlier

    inner join alone as later
        on
            is_same_unit(earlier, later)
            and earlier.stack = later.stack
            and earlier.kind = later.kind
            and earlier.subject = later.subject
            and earlier.node_key <> later.node_key
            and not (earlier.has_zone and later.has_zone)
            and later."at" between earlier."at" + interval 10 minute and earlier."at" + interval 14 hour

    where abs((epoch_us(later."at") - epoch_us(earlier."at")) / 1000000 - 900 * quarters) <= 5

)

select
    configuration,
    unit_run as run,
    format(
        'In `{}`{}, {} writes of the same change {} h later than {}: the clock of one of them is of another time zone, and times between these nodes are '
        'wrong by as much. Say the zones in study.toml (`timezone` of `[node."{}"]`).',
        configuration,
        coalesce(', ' || run_text(unit_run), ''),
        later_node,
        quarters / 4,
        node,
        later_node
    ) as text,
    first(file_id order by "at", file_id, line_no) as file_id,
    first(line_no order by "at", file_id, line_no) as line_no

from pairs

group by configuration, unit_run, node, later_node, quarters
