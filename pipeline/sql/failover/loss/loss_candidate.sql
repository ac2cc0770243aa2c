-- One row per log line that says that a node or leader is lost, replaced or gone: what it was taken for, or what is
-- missing to make it an incident. Times in UTC.
-- columns:
--   run: run folder, else the run that the incident is
select
    loss_line.configuration,
    coalesce(loss_line.unit_run, loss_line.incident_run) as run,
    loss_line.file_id,
    loss_line.line_no,
    loss_line."at",
    loss_line.node,
    loss_line.peer,
    loss_line.kind,
    loss_line.taken_for,
    loss_line.incident_run,
    loss_line.missing,
    texts.text

from loss_line

left join (select file_id, line_no, min(text) as text from event_line group by file_id, line_no) as texts
    on loss_line.file_id = texts.file_id and loss_line.line_no = texts.line_no

order by loss_line.configuration, loss_line."at", loss_line.file_id, loss_line.line_no
