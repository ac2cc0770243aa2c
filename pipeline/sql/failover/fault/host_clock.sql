-- One row per run and other host whose clock can be compared with the surviving node's: what is added to its stamps. Seconds.
-- Nodes of a ring log the ring as they form it, within a few milliseconds of each other. A server that refuses a client's question logs the
-- words that the client notes, between the asking and the refusal: each refusal bounds the difference, and all of them together
-- to a few milliseconds. A client on the surviving node has its clock; one whose clock_offset_s study.toml gives is on time. Of servers that elect
-- a leader nothing compares the clocks: a client's is then taken to agree within half a second.
-- materialised: compares every refused question with the server's log
-- rows by: configuration
-- empty without rows of: incident
-- empty without rows of: log.client_question, cluster_line where source = 'ha' and stack = 'corosync' and kind = 'membership'
-- columns:
--   node_key: host, in small letters; null where the folder of the client's log names none
--   basis: same host, ring, refusals, study.toml, or agreement: nothing compares them, and they are taken to agree
--   low_s: the surviving node's clock is ahead of it by no less
--   high_s: and no more
--   witnesses: lines or questions behind it; null without
--   file_id: file of the first line on the surviving node behind it
with

rings as (  -- both nodes log a ring as they form it

    select distinct on (configuration, unit_run, node_key, resource)
        configuration,
        unit_run,
        node_key,
        resource,
        epoch_us("at") / 1000000 as at_s,
        resolution_s,
        file_id,
        line_no

    from cluster_line

    where source = 'ha' and kind = 'membership' and stack = 'corosync' and resource is not null

    order by configuration, unit_run, node_key, resource, "at", file_id, line_no

),

by_ring as (

    select
        incident.configuration,
        incident.run,
        incident.lost_key as node_key,
        'ring' as basis,
        seen.at_s - lost.at_s - 0.02 - greatest(lost.resolution_s, 0.001) + 0.001 as low_s,
        seen.at_s - lost.at_s + 0.02 + greatest(seen.resolution_s, 0.001) - 0.001 as high_s,
        1 as witnesses,
        seen.file_id,
        seen.line_no

    from incident

    inner join rings as seen
        on
            incident.configuration = seen.configuration
            and incident.unit_run is not distinct from seen.unit_run
            and incident.surviving_key = seen.node_key
            and seen.at_s < epoch_us(incident.membership_at) / 1000000

    inner join rings as lost
        on
            incident.configuration = lost.configuration
            and incident.unit_run is not distinct from lost.unit_run
            and incident.lost_key = lost.node_key
            and seen.resource = lost.resource

    qualify row_number() over (
        partition by incident.configuration, incident.run order by seen.at_s desc, lost.at_s desc
    ) = 1

),

questions as (

    select
        incident.configuration,
        incident.run,
        incident.surviving_key,
        incident.membership_at,
        incident.end_at,
        lower(short_host(client_question.node)) as node_key,
        client_question.reason,
        not client_question.is_answered and client_question.elapsed_s is not null and length(client_question.reason) >= 12
            as is_refusal,
        epoch_us(client_question."at") / 1000000 as asked_s,
        epoch_us(client_question.known_at) / 1000000 as known_s

    from incident

    inner join client_question using (configuration, run)

),

probes as (

    select configuration, run, surviving_key, membership_at, end_at, node_key, bool_or(is_refusal) as has_refusals

    from questions

    group by all

),

reasons as (  -- words that name a port or a number differ from question to question

    select configuration, run, surviving_key, membership_at, end_at, reason

    from questions

    where is_refusal

    group by configuration, run, surviving_key, membership_at, end_at, reason

    having count(*) > 1

    qualify row_number() over (partition by configuration, run order by count(*) desc, reason) <= 5

),

server_lines as (

    select
        reasons.configuration,
        reasons.run,
        reasons.reason,
        epoch_us(syslog_event."at") / 1000000 as at_s,
        line_resolution(syslog_event."at", stamp_resolution.resolution_s, stamp_resolution.whole_milli_s, stamp_resolution.whole_second_s) as resolution_s,
        syslog_event.file_id,
        syslog_event.line_no

    from reasons

    inner join source_file
        on
            reasons.configuration = source_file.configuration
            and (source_file.run is null or reasons.run = source_file.run)

    inner join stamp_resolution using (file_id)

    inner join log.syslog_event as syslog_event
        on
            source_file.file_id = syslog_event.file_id
            and syslog_event."at" >= reasons.membership_at
            and syslog_event."at" < reasons.end_at
            and contains(syslog_event.text, reasons.reason)
            and lower(writer_host(syslog_event.host, source_file.node)) = reasons.surviving_key

),

lines_of_reason as (

    select
        configuration,
        run,
        reason,
        min(at_s) as first_s,
        max(at_s + resolution_s) as last_s,
        arg_min(file_id, (at_s, file_id, line_no)) as file_id,
        arg_min(line_no, (at_s, file_id, line_no)) as line_no

    from server_lines

    group by configuration, run, reason

),

refusals_of_reason as (

    select configuration, run, node_key, reason, min(known_s) as first_known_s, max(asked_s) as last_asked_s

    from questions

    where is_refusal

    group by configuration, run, node_key, reason

),

coarse as (  -- the first refusal in the log is no later than the client's first, the last no earlier than its last

    select
        refusals.configuration,
        refusals.run,
        refusals.node_key,
        -- elapsed times are printed in tenths of a millisecond at best
        max(lines_of_reason.first_s - refusals.first_known_s) - 0.001 as low_s,
        min(lines_of_reason.last_s - refusals.last_asked_s) + 0.001 as high_s,
        arg_min(lines_of_reason.file_id, (lines_of_reason.first_s, lines_of_reason.file_id, lines_of_reason.line_no)) as file_id,
        arg_min(lines_of_reason.line_no, (lines_of_reason.first_s, lines_of_reason.file_id, lines_of_reason.line_no)) as line_no

    from refusals_of_reason as refusals

    inner join lines_of_reason using (configuration, run, reason)

    group by refusals.configuration, refusals.run, refusals.node_key

    having low_s <= high_s

),

compared as (  -- as many refusals as are enough, of outages that last for hours

    select *

    from questions

    where is_refusal

    qualify row_number() over (partition by configuration, run, node_key, reason order by asked_s) <= 200

),

matched as (  -- lines that may be a question's refusal; a question with one line alone is a bound

    select
        coarse.configuration,
        coarse.run,
        coarse.node_key,
        server_lines.at_s - compared.known_s - 0.001 as low_s,
        server_lines.at_s + server_lines.resolution_s - compared.asked_s + 0.001 as high_s

    from coarse

    inner join compared
        on
            coarse.configuration = compared.configuration
            and coarse.run = compared.run
            and coarse.node_key is not distinct from compared.node_key

    inner join server_lines
        on
            compared.configuration = server_lines.configuration
            and compared.run = server_lines.run
            and compared.reason = server_lines.reason
            and server_lines.at_s + server_lines.resolution_s >= compared.asked_s + coarse.low_s
            and server_lines.at_s <= compared.known_s + coarse.high_s

    qualify count(*) over (
        partition by coarse.configuration, coarse.run, coarse.node_key, compared.asked_s, compared.known_s, compared.reason
    ) = 1

),

fine as (

    select configuration, run, node_key, max(low_s) as low_s, min(high_s) as high_s, count(*) as witnesses

    from matched

    group by configuration, run, node_key

    having max(low_s) <= min(high_s)

),

by_refusals as (

    select
        coarse.configuration,
        coarse.run,
        coarse.node_key,
        'refusals' as basis,
        greatest(coarse.low_s, fine.low_s) as low_s,
        least(coarse.high_s, fine.high_s) as high_s,
        fine.witnesses,
        coarse.file_id,
        coarse.line_no

    from coarse

    left join fine
        on
            coarse.configuration = fine.configuration
            and coarse.run = fine.run
            and coarse.node_key is not distinct from fine.node_key

    where coalesce(greatest(coarse.low_s, fine.low_s) <= least(coarse.high_s, fine.high_s), true)

),

by_name as (

    select configuration, run, node_key, 'same host' as basis, 0 as low_s, 0 as high_s

    from probes

    where node_key = surviving_key

),

by_manifest as (  -- a difference that a person measured

    select probes.configuration, probes.run, probes.node_key, 'study.toml' as basis, -0.1 as low_s, 0.1 as high_s

    from probes

    inner join study.node as node
        on probes.node_key = lower(short_host(node.node)) and node.clock_offset_s is not null

),

by_agreement as (

    select distinct probes.configuration, probes.run, probes.node_key, 'agreement' as basis, -0.5 as low_s, 0.5 as high_s

    from probes

    inner join incident using (configuration, run)

    inner join leader_change
        on
            incident.configuration = leader_change.configuration
            and incident.unit_run is not distinct from leader_change.unit_run
            and incident.lost_key = leader_change.former_key
            and incident.loss_at between leader_change.loss_at and leader_change."at"

),

found as (

    select 1 as rank, * from by_name
    union all by name
    select 2 as rank, * from by_refusals
    union all by name
    select 3 as rank, * from by_ring
    union all by name
    select 4 as rank, * from by_manifest
    union all by name
    select 5 as rank, * from by_agreement

)

select
    configuration,
    run,
    node_key,
    basis,
    low_s::double as low_s,
    high_s::double as high_s,
    witnesses::integer as witnesses,
    file_id,
    line_no

from found

qualify row_number() over (partition by configuration, run, node_key order by rank) = 1

order by configuration, run, node_key
