-- One row per primary of HADR that its standby lost, and then took over from by force, or nobody did. Times in UTC.
-- Without a cluster manager's log these two are all that shows the crash: the standby leaves the peer state, or remote catchup, and does not
-- return to it before the take-over. The primary was lost up to HADR_TIMEOUT before, as a connection that is silent is given up
-- after it. A primary that somebody stopped in the minute before was not lost. Where nobody took over, its log must be there and keep silent for
-- two minutes before and after: a primary that runs writes that its standby is gone.
-- columns:
--   loss_at: the standby leaves the state that it had with the primary
--   command_at: the first command to take over after it; null where nobody gave one
--   lost_node: host of the primary: the only other one whose log names the database; null where there is none, or several
--   lost_key: the same in small letters; empty if unknown
--   observer_key: host of the standby, in small letters
--   file_id: file of the change of state
--   line_no: its line
with

commands as (

    select * from cluster_line where kind = 'hadr_takeover_command' and state = 'forced'

),

connections as (

    select * from cluster_line where kind in ('hadr_partner_lost', 'hadr_partner_found')

),

losses as (  -- the last change before each command

    select
        commands.configuration,
        commands.unit_run,
        commands.node,
        commands.node_key,
        commands.database,
        commands."at" as command_at,
        connections."at" as loss_at,
        connections.file_id,
        connections.line_no

    from commands

    inner join connections
        on
            commands.configuration = connections.configuration
            and commands.unit_run is not distinct from connections.unit_run
            and commands.node_key is not distinct from connections.node_key
            and commands.instance is not distinct from connections.instance
            and commands.database is not distinct from connections.database
            and connections."at" between commands."at" - interval 1 hour and commands."at"

    qualify
        row_number() over (
            partition by commands.file_id, commands.line_no
            order by connections."at" desc, connections.file_id desc, connections.line_no desc
        ) = 1
        and connections.kind = 'hadr_partner_lost'

),

first_losses as (  -- of a command that is given again

    select *

    from losses

    qualify row_number() over (
        partition by configuration, unit_run, node_key, database, loss_at order by command_at, file_id, line_no
    ) = 1

),

unanswered as (  -- with no command within the hour

    select
        connections.configuration,
        connections.unit_run,
        connections.node,
        connections.node_key,
        connections.database,
        cast(null as timestamp) as command_at,
        connections."at" as loss_at,
        connections.file_id,
        connections.line_no

    from connections

    where not exists (

        select 1

        from cluster_line

        where
            cluster_line.configuration = connections.configuration
            and cluster_line.unit_run is not distinct from connections.unit_run
            and cluster_line.node_key is not distinct from connections.node_key
            and cluster_line.kind in ('hadr_takeover_command', 'takeover_done')
            and cluster_line."at" between connections."at" and connections."at" + interval 1 hour
    )

    qualify
        connections.kind = 'hadr_partner_lost'
        and lag(connections.kind) over (
            partition by connections.configuration, connections.unit_run, connections.node_key, connections.instance, connections.database
            order by connections."at", connections.file_id, connections.line_no
        ) is distinct from 'hadr_partner_lost'

),

lost as (

    select * from first_losses

    union all

    select * from unanswered

),

others as (

    select
        source_file.configuration,
        source_file.run,
        writer_host(hadr_event.host, source_file.node) as node,
        upper(hadr_event.database) as database,
        hadr_event.kind = 'hadr_command' and hadr_event.command = 'stop' as is_stop,
        hadr_event."at"

    from log.hadr_event as hadr_event

    inner join source_file using (file_id)

),

partners as (

    select
        losses.configuration,
        losses.unit_run,
        losses.file_id,
        losses.line_no,
        case when count(distinct lower(others.node)) = 1 then min(others.node) end as lost_node,
        bool_or(
            others.is_stop and others."at" between losses.loss_at - interval 1 minute and losses.loss_at
        ) as is_stopped,
        bool_or(others."at" between losses.loss_at - interval 2 minute and losses.loss_at + interval 2 minute) as is_heard

    from lost as losses

    inner join others
        on
            losses.configuration = others.configuration
            and (others.run is null or others.run = losses.unit_run)
            and losses.database = others.database
            and losses.node_key <> lower(others.node)

    group by losses.configuration, losses.unit_run, losses.file_id, losses.line_no

)

select
    losses.configuration,
    losses.unit_run,
    losses.loss_at,
    losses.command_at,
    partners.lost_node,
    coalesce(lower(partners.lost_node), '') as lost_key,
    losses.node_key as observer_key,
    losses.file_id,
    losses.line_no

from lost as losses

left join partners using (file_id, line_no)

where
    not coalesce(partners.is_stopped, false)
    and (losses.command_at is not null or (partners.lost_node is not null and not partners.is_heard))

order by losses.configuration, losses.unit_run, losses.loss_at, losses.file_id, losses.line_no
