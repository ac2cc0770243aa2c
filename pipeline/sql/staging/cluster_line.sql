-- One row per dated log line that can be evidence in a failover, in any log. Times in UTC.
-- The lean extract that incidents, fault times and milestones are found in; a HAD line carried by syslog and by an
-- engine log is here twice, as the rules only ask for the first or last of its kind.
-- materialised: every step of the failover analysis reads it
-- rows by: configuration
-- columns:
--   node_key: host that wrote the line, in small letters; where nobody says which, the file
--   source: vcs, llt, gab, storage, db2diag, ha, client
--   kind: what the line says; recovery for storage lines, boot for lines of a starting cluster layer; operation_start
--     and operation_done for begin and end of an operation on a resource; client_answered for a client's first answer
--     after questions that failed
--   message_id: vendor's message id; function and probe for db2diag records without one; stack and kind for ha
--   at: stamp as printed; of a client's answer the time that it came
--   resolution_s: resolution of the file's stamps, seconds; of a client's answer the median time between two questions
--   system: host that the line is about
--   system_key: the same in small letters
--   node_id: LLT node id the line is about, or the id in corosync's ring of the host that it names
--   state: state that a system reached; ok or failed for operations
--   resource: resource, device or address
--   silent_s: N of `inactive N sec`; timeout that corosync states as it loses the token
--   object: mount point, volume or disk group that a storage line names
--   appid: DB2 application
--   stack: cluster stack of an ha line
--   action: operation on a resource, of an ha line
--   resource_class: address, replication, mount, database, application, fencing, of an ha line
with

files as (

    select file_id, configuration, run, node, path from source_file where status = 'parsed' and configuration is not null

),

ha_lines as (

    select
        file_id,
        line_no,
        part,
        "at",
        'ha' as source,
        kind,
        stack || ':' || kind as message_id,
        node,
        peer as system,
        peer_id as node_id,
        new_state as state,
        case when kind = 'token_lost' then value / 1000 end as silent_s,
        old_state as previous_state,
        object as resource,
        stack,
        action,
        object_class as resource_class

    from ha_line

    where kind not in (
        'resource_start', 'resource_done', 'resource_failed', 'probe', 'monitor', 'script_line', 'resource_status',
        'agent_success', 'log_noise', 'other', 'leader_alive', 'members', 'node_named', 'peer_named', 'writer_named', 'leave_wanted'
    )

),

ha_starts as (

    select
        start_file_id as file_id,
        start_line_no as line_no,
        1::smallint as part,
        start_at as "at",
        'ha' as source,
        'operation_start' as kind,
        stack || ':operation_start' as message_id,
        node,
        object as resource,
        stack,
        action,
        object_class as resource_class

    from ha_operation

    where start_file_id is not null

),

ha_ends as (

    select
        file_id,
        line_no,
        part,
        "at",
        'ha' as source,
        'operation_done' as kind,
        stack || ':operation_done' as message_id,
        node,
        outcome as state,
        object as resource,
        stack,
        action,
        object_class as resource_class

    from ha_operation

    where "at" is not null

),

questions as (

    select
        question.file_id,
        question.line_no,
        question.part,
        question."at" + to_microseconds(coalesce(1000000 * question.elapsed_s, 0)::bigint) as "at",
        files.node,
        question.is_answered,
        lag(question.is_answered) over probe as was_answered,
        epoch_us(question."at") - epoch_us(lag(question."at") over probe) as step_us

    from log.client_question as question

    inner join files using (file_id)

    window probe as (
        partition by files.configuration, files.run, files.node, question.target
        order by question."at", question.file_id, question.line_no
    )

),

client_lines as (  -- known to the time between two questions

    select
        file_id,
        line_no,
        part,
        "at",
        'client' as source,
        'client_answered' as kind,
        'client:answered' as message_id,
        short_host(node) as node,
        resolution_s

    from (
        select *, round(median(step_us) over (partition by file_id) / 1000000, 3) as resolution_s from questions
    )

    where is_answered and not was_answered

),

lines as (

    select * from layer_line
    union all by name
    select * from database_line
    union all by name
    select * from ha_lines
    union all by name
    select * from ha_starts
    union all by name
    select * from ha_ends
    union all by name
    select * from client_lines

)

select
    files.configuration,
    coalesce(files.run, run_range.run) as unit_run,
    lines.node,
    lower(coalesce(lines.node, unknown_writer(files.path))) as node_key,
    lines.source,
    lines.kind,
    lines.message_id,
    lines."at",
    coalesce(
        lines.resolution_s,
        line_resolution(lines."at", stamp_resolution.resolution_s, stamp_resolution.whole_milli_s, stamp_resolution.whole_second_s)
    ) as resolution_s,
    lines.system,
    lower(lines.system) as system_key,
    lines.node_id,
    lines.state,
    lines.previous_state,
    coalesce(lines.is_vcs_online, false) as is_vcs_online,
    lines.resource,
    lines."group",
    lines.port,
    lines.members,
    lines.link,
    lines.silent_s,
    lines.outage_key,
    lines.object,
    lines.instance,
    lines.database,
    lines.appid,
    lines.stack,
    lines.action,
    lines.resource_class,
    lines.file_id,
    lines.line_no,
    lines.part

from lines

inner join files using (file_id)

inner join stamp_resolution using (file_id)

left join run_range
    on files.run is null and is_in_range(files.configuration, lines."at", run_range)

where lines."at" is not null

order by files.configuration, unit_run, lines."at", lines.file_id, lines.line_no, lines.part
