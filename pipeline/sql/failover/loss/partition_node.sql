-- One row per partition of the network and node of it: what the node did afterwards, by its own lines and those about it. Times in UTC.
-- Clocks of nodes are compared by what both do at the same time: each declares the other lost as the same timer runs out. So seconds are
-- counted from the node's own first line about the loss of others, where it wrote one.
-- materialised: reads logs of the nodes of a partition
-- rows by: configuration
-- empty without rows of: loss_event where is_partition
-- columns:
--   event_no: number of the event, as in loss_event
--   own_at: its first line that declares another node lost; where it wrote none, the first of the event
--   wrote: it wrote such a line
--   lost: nodes that it declared lost, in small letters
--   lost_by: nodes that declared it lost
--   end_at: end of the time that is looked at: the next event or one hour later
--   served_at: last line before the partition by which it had the service
--   started_at: first line by which it starts the service afterwards, before it went down
--   started_s: the same, seconds after own_at
--   stopped_at: first line by which it gives the service up afterwards
--   quorum_lost_at: it lost the quorum and did not get it back before it went down
--   down_at: it went down: fenced, panicked, or its last line before it starts again
--   down_s: the same, seconds after own_at
--   down_how: fenced, panicked, restarted
--   down_file_id: file of the line that shows it
--   down_line_no: that line
--   last_s: its last line in that time or before it went down, seconds after own_at; null without a log
--   last_at: its time
--   last_file_id: file of that line
--   last_line_no: that line
with

partitions as (

    select
        configuration,
        unit_run,
        event_no,
        bool_or(is_partition) as is_partition,
        min(loss_at) as event_at,
        least(
            min(loss_at) + interval 1 hour,
            lead(min(loss_at)) over (partition by configuration, unit_run order by event_no)
        ) as end_at

    from loss_event

    group by configuration, unit_run, event_no

    qualify bool_or(is_partition)

),

observed as (

    select loss_event.*, unnest(loss_event.observers) as observer

    from loss_event

    inner join partitions
        on
            loss_event.configuration = partitions.configuration
            and loss_event.unit_run is not distinct from partitions.unit_run
            and loss_event.event_no = partitions.event_no

),

members as (

    select configuration, unit_run, event_no, lost_key as node_key from observed
    union
    select configuration, unit_run, event_no, observer from observed

),

own_evidence as (

    select partitions.configuration, partitions.unit_run, partitions.event_no, evidence.node_key, min(evidence."at") as own_at

    from partitions

    inner join node_loss_evidence as evidence
        on
            partitions.configuration = evidence.configuration
            and partitions.unit_run is not distinct from evidence.unit_run
            and evidence.is_decisive
            and evidence."at" >= partitions.event_at
            and evidence."at" < partitions.end_at

    group by partitions.configuration, partitions.unit_run, partitions.event_no, evidence.node_key

),

nodes as (

    select
        members.*,
        row_number() over (order by members.configuration, members.unit_run, members.event_no, members.node_key) as node_no,
        partitions.event_at,
        partitions.end_at,
        coalesce(own_evidence.own_at, partitions.event_at) as own_at,
        own_evidence.own_at is not null as wrote,
        coalesce(
            (
                select min(loss_event.lost_node)

                from loss_event

                where loss_event.configuration = members.configuration and loss_event.lost_key = members.node_key
            ),
            members.node_key
        ) as node

    from members

    inner join partitions
        on
            members.configuration = partitions.configuration
            and members.unit_run is not distinct from partitions.unit_run
            and members.event_no = partitions.event_no

    left join own_evidence
        on
            members.configuration = own_evidence.configuration
            and members.unit_run is not distinct from own_evidence.unit_run
            and members.event_no = own_evidence.event_no
            and members.node_key = own_evidence.node_key

),

writers as (

    select source_file.file_id, nodes.* exclude (own_at, wrote, node), nodes.own_at

    from nodes

    inner join source_file
        on
            nodes.configuration = source_file.configuration
            and (source_file.run is null or source_file.run is not distinct from nodes.unit_run)

),

own_lines as (

    select writers.*, syslog_event."at", syslog_event.line_no, syslog_event.text

    from writers

    inner join source_file using (file_id)

    inner join log.syslog_event as syslog_event
        on
            writers.file_id = syslog_event.file_id
            and lower(writer_host(syslog_event.host, source_file.node)) = writers.node_key
            and syslog_event."at" >= writers.own_at
            and syslog_event."at" < writers.end_at

    union all

    select writers.*, vcs_event."at", vcs_event.line_no, null as text

    from writers

    inner join source_file
        on writers.file_id = source_file.file_id and lower(short_host(source_file.node)) = writers.node_key and source_file.format <> 'syslog'

    inner join log.vcs_event as vcs_event
        on
            writers.file_id = vcs_event.file_id
            and vcs_event."at" >= writers.own_at
            and vcs_event."at" < writers.end_at

),

boots as (  -- of the node, or of its cluster manager, which gives up what it ran

    select node_no, "at" as boot_at, file_id, line_no

    from (
        select node_no, "at", file_id, line_no

        from own_lines

        where regexp_matches(text, 'Linux version \d|SunOS Release \d|AIX Version|Booting Linux|savecore: reboot|LLT Protocol available|GAB available')

        union all

        select nodes.node_no, cluster_line."at", cluster_line.file_id, cluster_line.line_no

        from nodes

        inner join cluster_line
            on
                nodes.configuration = cluster_line.configuration
                and nodes.unit_run is not distinct from cluster_line.unit_run
                and nodes.node_key = cluster_line.node_key
                and cluster_line.kind in ('boot', 'cluster_started')
                and cluster_line."at" >= nodes.own_at
                and cluster_line."at" < nodes.end_at
    )

    qualify row_number() over (partition by node_no order by "at", file_id, line_no) = 1

),

stops as (  -- the node itself goes down

    select node_no, "at", 'panicked' as how, file_id, line_no

    from own_lines

    where
        regexp_matches(
            text,
            '(?i)\bpanic|lost the (?:fencing )?race|ejected from cluster|halting system due to|rebooting system|sysrq.*resetting|self-?fenc'
        )
        and not regexp_matches(text, '(?i)panic_?on|panic=|kernel\.panic|won the')
        and "at" <= own_at + interval 10 minute

    union all

    select nodes.node_no, cluster_line."at", 'fenced', cluster_line.file_id, cluster_line.line_no

    from nodes

    inner join cluster_line
        on
            nodes.configuration = cluster_line.configuration
            and nodes.unit_run is not distinct from cluster_line.unit_run
            and cluster_line.kind in ('fence_done', 'fence_helper_done')
            and (
                cluster_line.system_key = nodes.node_key
                or (cluster_line.system_key is null and cluster_line.stack = 'vxfen' and cluster_line.node_key = nodes.node_key)
            )
            and cluster_line."at" between nodes.event_at and nodes.event_at + interval 10 minute
            and cluster_line."at" < nodes.end_at

),

first_stops as (

    select *

    from stops

    qualify row_number() over (partition by node_no order by how = 'panicked', "at", file_id, line_no) = 1

),

last_lines as (

    select own_lines.node_no, own_lines."at", own_lines.file_id, own_lines.line_no

    from own_lines

    left join boots using (node_no)

    -- the first line that names the boot is not the first of it
    where boots.boot_at is null or own_lines."at" < boots.boot_at - interval 1 minute

    qualify row_number() over (
        partition by own_lines.node_no order by own_lines."at" desc, own_lines.line_no desc, own_lines.file_id
    ) = 1

),

down as (

    select
        nodes.* exclude (event_at),
        boots.boot_at,
        coalesce(first_stops."at", case when boots.boot_at is not null then coalesce(last_lines."at", nodes.own_at) end) as down_at,
        -- the clock of who fenced is another one; the node's own last line shows how long it lived
        case
            when first_stops.how = 'fenced' and nodes.wrote then coalesce(last_lines."at", nodes.own_at)
            else coalesce(first_stops."at", case when boots.boot_at is not null then coalesce(last_lines."at", nodes.own_at) end)
        end as own_down_at,
        coalesce(first_stops.how, case when boots.boot_at is not null then 'restarted' end) as down_how,
        coalesce(first_stops.file_id, boots.file_id) as down_file_id,
        coalesce(first_stops.line_no, boots.line_no) as down_line_no,
        last_lines."at" as last_at,
        last_lines.file_id as last_file_id,
        last_lines.line_no as last_line_no

    from nodes

    left join boots using (node_no)

    left join first_stops using (node_no)

    left join last_lines using (node_no)

),

signs as (

    select
        down.node_no,
        max(service_sign."at") filter (where service_sign.sign in ('start', 'up') and service_sign."at" < down.own_at) as served_at,
        max(service_sign."at") filter (where service_sign.sign = 'stop' and service_sign."at" < down.own_at) as stopped_before_at,
        min(service_sign."at") filter (where service_sign.sign = 'start' and service_sign."at" >= down.own_at) as started_at,
        min(service_sign."at") filter (where service_sign.sign = 'stop' and service_sign."at" >= down.own_at) as stopped_at

    from down

    inner join service_sign
        on
            down.configuration = service_sign.configuration
            and down.unit_run is not distinct from service_sign.unit_run
            and down.node_key = service_sign.node_key
            -- what others say of it is what they think of it
            and (service_sign.writer_key is null or service_sign.writer_key = down.node_key or service_sign."at" < down.own_at)
            and service_sign."at" < least(down.end_at, coalesce(down.boot_at, down.end_at))

    group by down.node_no

),

quorum as (

    select down.node_no, last(cluster_line.kind order by cluster_line."at", cluster_line.line_no) as kind, max(cluster_line."at") as "at"

    from down

    inner join cluster_line
        on
            down.configuration = cluster_line.configuration
            and down.unit_run is not distinct from cluster_line.unit_run
            and down.node_key = cluster_line.node_key
            and cluster_line.kind in ('quorum_lost', 'quorum_acquired')
            and cluster_line."at" between down.own_at - interval 5 second and least(down.own_at + interval 2 minute, coalesce(down.boot_at, down.end_at))

    group by down.node_no

)

select
    down.configuration,
    down.unit_run,
    down.event_no,
    down.node,
    down.node_key,
    down.own_at,
    down.wrote,
    coalesce(
        (
            select list_sort(list_distinct(list(observed.lost_key)))

            from observed

            where
                observed.configuration = down.configuration
                and observed.unit_run is not distinct from down.unit_run
                and observed.event_no = down.event_no
                and observed.observer = down.node_key
        ),
        []
    ) as lost,
    coalesce(
        (
            select list_sort(list_distinct(list(observed.observer)))

            from observed

            where
                observed.configuration = down.configuration
                and observed.unit_run is not distinct from down.unit_run
                and observed.event_no = down.event_no
                and observed.lost_key = down.node_key
        ),
        []
    ) as lost_by,
    down.end_at,
    case when signs.stopped_before_at is null or signs.served_at > signs.stopped_before_at then signs.served_at end as served_at,
    signs.started_at,
    (epoch_us(signs.started_at) - epoch_us(down.own_at)) / 1e6 as started_s,
    signs.stopped_at,
    case when quorum.kind = 'quorum_lost' then quorum."at" end as quorum_lost_at,
    down.down_at,
    (epoch_us(down.own_down_at) - epoch_us(down.own_at)) / 1e6 as down_s,
    down.down_how,
    down.down_file_id,
    down.down_line_no,
    (epoch_us(down.last_at) - epoch_us(down.own_at)) / 1e6 as last_s,
    down.last_at,
    down.last_file_id,
    down.last_line_no

from down

left join signs using (node_no)

left join quorum using (node_no)

order by down.configuration, down.unit_run, down.event_no, down.node_key
