-- One row per syslog message, also where another table holds its typed form.
-- columns:
--   configuration: folder group
--   run: run folder, else the run in whose time the line lies; null outside of all
--   node: host that wrote the line, short name; else the host that the file is from
--   at: time, UTC; null for an undated line
--   local_at: wall clock of the writer
--   framing: shape of the line's head: bsd, solaris, linux_kernel, iso, rfc5424, aix, ...
--   host: host that wrote the line, as printed
--   facility: syslog facility where printed
--   level: emerg, alert, crit, err, warning, notice, info, debug; null where not printed
--   tag: program, daemon or kernel module
--   pid: process id where printed
--   msgid: Solaris [ID n] or RFC 5424 MSGID; never a key for meaning
--   message_id: vendor message id inside the text: V-14-1-10032, V-16-1-10322, ...
--   product: LLT, GAB, VCS, VxVM, CVM, VxFS, CFS, VXFEN where the text is theirs
--   uptime_s: kernel uptime stamp, seconds
--   repeat_count: further copies that a repeat line reported; their stamps are not evidence
--   text: the message after the tag; continuation lines joined by a line feed
--   file_id: file
--   line_no: line
--   part: message within the line, from 1
select
    source_file.configuration,
    coalesce(source_file.run, run_window.run) as run,
    short_host(coalesce(syslog_event.host, source_file.node)) as node,
    syslog_event."at",
    syslog_event.local_at,
    syslog_event.framing,
    syslog_event.host,
    syslog_event.facility,
    syslog_event.level,
    syslog_event.tag,
    syslog_event.pid,
    syslog_event.msgid,
    syslog_event.message_id,
    syslog_event.product,
    syslog_event.uptime_s,
    syslog_event.repeat_count,
    syslog_event.text,
    syslog_event.file_id,
    syslog_event.line_no,
    syslog_event.part

from log.syslog_event as syslog_event

inner join source_file
    on syslog_event.file_id = source_file.file_id

left join run_window
    on
        source_file.run is null
        and source_file.configuration = run_window.configuration
        and (run_window.start_at is null or syslog_event."at" >= run_window.start_at)
        and (run_window.end_at is null or syslog_event."at" < run_window.end_at)
