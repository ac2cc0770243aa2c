-- One row per message of VCS (the HAD engine and its agents), from engine logs and from syslog copies.
-- columns:
--   configuration: folder group
--   run: run folder, else the run in whose time the line lies; null outside of all
--   node: host that wrote the line, short name; else the host that the file is from
--   at: time, UTC; null for an undated line
--   local_at: wall clock of the writer
--   era: form of the line: tag_1 (VCS 1.x), tag_2 (to 3.5), umi (4.0 on), hamsg, undated, guide
--   severity: CRITICAL, ERROR, WARNING, NOTICE, INFO, DBG_n; TAG letters are translated
--   severity_printed: the severity as the line has it: TAG_E, INFO, ...
--   message_id: V-16-category-number; VCS:nnnnn of 2.x and 3.5 is written as V-16-1-nnnnn
--   originator: first number of the message id (16 = VCS)
--   category: second number: 1 engine, 2 agent framework, 6 triggers, 10000 and up agents
--   message_number: last number of the message id
--   kind: what happened: resource_online, group_online, system_state, ...
--   host: node where the agent ran, when the line was forwarded
--   agent: resource type, where an agent's line names it
--   resource: resource the message is about
--   entry_point: agent entry point: online, offline, monitor, clean, ...
--   owner: owner of the resource as printed
--   group: service group the message is about
--   system: system the message is about
--   node_id: LLT node id of that system, where printed
--   previous_state: state left, for state changes
--   state: state reached: online, offline, FAULTED, RUNNING, ...
--   how: cause in parentheses: VCS initiated, Not initiated by VCS, First probe, ...
--   membership: membership mask as printed, hexadecimal; bit i is node i
--   user_name: user who fired a command
--   text: the message without its head; wrapped lines joined by one blank
--   payload: command output that followed the message, lines kept
--   file_id: file
--   line_no: line
--   part: message within the line, from 1
select
    source_file.configuration,
    coalesce(source_file.run, run_window.run) as run,
    short_host(coalesce(writer.host, source_file.node)) as node,
    vcs_event."at",
    vcs_event.local_at,
    vcs_event.era,
    vcs_event.severity,
    vcs_event.severity_printed,
    vcs_event.message_id,
    vcs_event.originator,
    vcs_event.category,
    vcs_event.message_number,
    vcs_event.kind,
    vcs_event.host,
    vcs_event.agent,
    vcs_event.resource,
    vcs_event.entry_point,
    vcs_event.owner,
    vcs_event."group",
    vcs_event.system,
    vcs_event.node_id,
    vcs_event.previous_state,
    vcs_event.state,
    vcs_event.how,
    vcs_event.membership,
    vcs_event.user_name,
    vcs_event.text,
    vcs_event.payload,
    vcs_event.file_id,
    vcs_event.line_no,
    vcs_event.part

from log.vcs_event as vcs_event

inner join source_file
    on vcs_event.file_id = source_file.file_id

-- a HAD line in a syslog: the host stands in the syslog's row
left join log.syslog_event as writer
    on
        vcs_event.file_id = writer.file_id
        and vcs_event.line_no = writer.line_no
        and writer.part = 1
        and writer.product = 'VCS'

left join run_window
    on
        source_file.run is null
        and source_file.configuration = run_window.configuration
        and (run_window.start_at is null or vcs_event."at" >= run_window.start_at)
        and (run_window.end_at is null or vcs_event."at" < run_window.end_at)
