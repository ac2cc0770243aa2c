-- One row per run, probe of a client and reason: failed questions, and when they were asked. Times in UTC.
-- What is in brackets behind a reason (addresses, numbers) is part of it, as the probe worded it.
-- columns:
--   node: host of the client
--   reason: why questions failed, as the probe words it; null where it does not say
--   failed: failed questions
--   first_at: the first was asked then
--   last_at: the last was asked then
--   first_s: the same in seconds after the fault
--   last_s: the last in seconds after the fault
--   file_id: file of the first
select
    question.configuration,
    question.run,
    question.node,
    question.target,
    question.reason,
    count(*) as failed,
    min(question."at") as first_at,
    max(question."at") as last_at,
    (epoch_us(min(question."at")) - epoch_us(any_value(run.fault_at))) / 1000000 as first_s,
    (epoch_us(max(question."at")) - epoch_us(any_value(run.fault_at))) / 1000000 as last_s,
    min_by(question.file_id, (question."at", question.file_id, question.line_no)) as file_id,
    min_by(question.line_no, (question."at", question.file_id, question.line_no)) as line_no

from client_question as question

inner join run using (configuration, run)

where not question.is_answered

group by question.configuration, question.run, question.node, question.target, question.reason

order by question.configuration, question.run, question.node, question.target, first_at, question.reason
