-- One row per loss of an elected leader and line that bounds when it happened. Times in microseconds of the epoch, UTC.
-- The last line of the leader's own program (of Patroni the last renewal of its lock) says that it lived; where its logs are not there, the last line of
-- another node that says so, else the first line of the log in which it was missed. The first line by which the surviving node missed it is the other end. Nothing
-- compares the clocks of such nodes: they are taken to agree within half a second. What others see of Patroni's lock may be a lease old (of which nobody
-- says how long it is: a minute at most is taken), and a backup of VRRP waits for less than four advertisements (of ten seconds at most).
-- rows by: configuration
-- columns:
--   at_us: the line
--   low_us: the fault came no earlier
--   high_us: it came no later
--   is_assumed: rests on a timer that neither a file nor a line shows
with

led as (  -- losses of an elected leader, with the change that showed them, or without one

    select
        incident.configuration,
        incident.run,
        incident.unit_run,
        leader_change.loss_at,
        incident.membership_at,
        incident.file_id,
        leader_change.stack,
        leader_change.former_key

    from incident

    inner join leader_change
        on
            incident.configuration = leader_change.configuration
            and incident.unit_run is not distinct from leader_change.unit_run
            and incident.lost_key = leader_change.former_key
            and incident.loss_at between leader_change.loss_at and leader_change."at"

    where not incident.is_planned

    union

    select
        incident.configuration,
        incident.run,
        incident.unit_run,
        unreplaced_leader.loss_at,
        incident.membership_at,
        incident.file_id,
        unreplaced_leader.stack,
        unreplaced_leader.former_key

    from incident

    inner join unreplaced_leader
        on
            incident.configuration = unreplaced_leader.configuration
            and incident.unit_run is not distinct from unreplaced_leader.unit_run
            and incident.lost_key = unreplaced_leader.former_key
            and incident.loss_at = unreplaced_leader.loss_at

),

leader_logs as (  -- where the program that led writes, and not one that watches it from the same host

    select distinct led.configuration, led.run, led.stack, led.loss_at, led.membership_at, led.file_id as loss_file_id, ha_line.file_id, ha_line.process, ha_line.node, source_file.format not in ('container_log', 'dated_log', 'patroni', 'postgresql') as is_shared

    from led

    inner join ha_line
        on
            led.configuration = ha_line.configuration
            and led.unit_run is not distinct from ha_line.unit_run
            and led.former_key = ha_line.node_key
            and led.stack = ha_line.stack

    inner join source_file
        on ha_line.file_id = source_file.file_id

    where
        ha_line.kind in ('leader_ready', 'node_named', 'upstream_lost', 'following')
        or (ha_line.kind = 'leader_alive' and ha_line.peer_key = ha_line.node_key and ha_line.stack <> 'redis')
        or (ha_line.kind = 'leader' and ha_line.peer_key is null)

),

own_signs as (  -- its last line, and the first by which the surviving node missed it

    select
        leader_logs.configuration,
        leader_logs.run,
        epoch_us(event."at") as at_us,
        epoch_us(event."at") - 500000 as low_us,
        epoch_us(leader_logs.membership_at) + (1000000 * stamp_resolution.resolution_s)::bigint as high_us,
        leader_logs.node,
        event.file_id,
        event.line_no

    from leader_logs

    inner join event
        on
            leader_logs.file_id = event.file_id
            and leader_logs.node = event.node  -- a log may be of all nodes
            -- a log of one program alone may name its parts so
            and (leader_logs.process is not distinct from event.process or not leader_logs.is_shared)
            and event."at" <= leader_logs.membership_at
            and event."at" < leader_logs.loss_at

    inner join stamp_resolution
        on leader_logs.loss_file_id = stamp_resolution.file_id

    where
        leader_logs.stack <> 'patroni'
        or exists (  -- one that is cut off goes on writing: that it renewed its lock, or took it, is a sign

            select 1

            from ha_line

            where
                ha_line.file_id = event.file_id
                and ha_line.line_no = event.line_no
                and (ha_line.kind = 'leader' or (ha_line.kind = 'leader_alive' and ha_line.action = 'renew'))
        )

    qualify row_number() over (
        partition by leader_logs.configuration, leader_logs.run order by event."at" desc, event.file_id, event.line_no desc
    ) = 1

),

others_signs as (  -- of a leader whose own logs are not there

    select
        led.configuration,
        led.run,
        epoch_us(ha_line."at") as at_us,
        epoch_us(ha_line."at") - case when led.stack = 'patroni' then 60500000 else 500000 end as low_us,
        led.stack = 'patroni' as is_assumed,
        ha_line.node,
        ha_line.file_id,
        ha_line.line_no

    from led

    anti join own_signs using (configuration, run)

    inner join ha_line
        on
            led.configuration = ha_line.configuration
            and led.unit_run is not distinct from ha_line.unit_run
            and led.stack = ha_line.stack
            and ha_line."at" < led.loss_at
            and (
                (ha_line.kind in ('leader', 'leader_alive', 'leader_ready', 'following') and coalesce(ha_line.peer_key, ha_line.node_key) = led.former_key)
                or (ha_line.kind = 'following' and ha_line.peer_key is null and ha_line.node_key is distinct from led.former_key)
            )

    qualify row_number() over (
        partition by led.configuration, led.run order by ha_line."at" desc, ha_line.file_id, ha_line.line_no desc
    ) = 1

),

beginnings as (  -- nobody says when it lived: a log that begins after the loss does not tell of it

    select
        led.configuration,
        led.run,
        epoch_us(source_file.first_at) as at_us,
        epoch_us(source_file.first_at) - 500000 as low_us,
        false as is_assumed,
        source_file.node,
        led.file_id,
        1 as line_no

    from (select distinct configuration, run, file_id from led) as led

    inner join source_file
        on led.file_id = source_file.file_id

    anti join own_signs
        on led.configuration = own_signs.configuration and led.run = own_signs.run

    anti join others_signs
        on led.configuration = others_signs.configuration and led.run = others_signs.run

    where source_file.first_at is not null

),

silences as (  -- the backup heard nothing of a holder of which nothing else says that it failed

    select
        led.configuration,
        led.run,
        epoch_us(ha_line."at") as at_us,
        epoch_us(ha_line."at") - 41000000 as low_us,
        true as is_assumed,
        ha_line.node,
        ha_line.file_id,
        ha_line.line_no

    from led

    inner join ha_line
        on
            led.configuration = ha_line.configuration
            and led.unit_run is not distinct from ha_line.unit_run
            and led.stack = 'keepalived'
            and ha_line.stack = 'keepalived'
            and ha_line.kind = 'election'
            and ha_line.action is null
            and ha_line.node_key is distinct from led.former_key
            and ha_line."at" between led.loss_at - interval 1 second and led.loss_at + interval 1 second

    where not exists (  -- a check failed, some time before

        select 1

        from ha_line as heard

        where
            heard.configuration = led.configuration
            and heard.unit_run is not distinct from led.unit_run
            and heard.stack = 'keepalived'
            and heard.kind in ('leader_outranked', 'resource_failed', 'vrrp_fault')
            and heard."at" between led.loss_at - interval 10 second and led.loss_at
    )

    qualify row_number() over (partition by led.configuration, led.run order by ha_line."at", ha_line.file_id, ha_line.line_no) = 1

),

highs as (

    select led.configuration, led.run, epoch_us(led.membership_at) + (1000000 * stamp_resolution.resolution_s)::bigint as high_us

    from (select distinct configuration, run, membership_at, file_id from led) as led

    inner join stamp_resolution using (file_id)

)

select configuration, run, at_us, low_us, high_us, false as is_assumed, node, file_id, line_no

from own_signs

union all by name

select signs.configuration, signs.run, signs.at_us, signs.low_us, highs.high_us, signs.is_assumed, signs.node, signs.file_id, signs.line_no

from (
    select * from others_signs
    union all by name
    select * from beginnings
    union all by name
    select * from silences
) as signs

inner join highs using (configuration, run)

order by configuration, run, at_us
