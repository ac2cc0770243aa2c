-- One row per question that a client's probe asked of the service, with its outcome.
-- Questions overlap where the next one does not wait for the answer. Times in UTC.
-- columns:
--   configuration: folder group
--   run: run folder, else the run in whose time the question lies
--   node: host of the client
--   at: when it was asked
--   known_at: when the outcome was known; as `at` where the log does not tell
--   is_answered: the service did what was asked; false: it refused, failed or kept silent
--   elapsed_s: from asking until the outcome was known, seconds; null where not printed
--   reason: why it failed, as the probe words it
--   target: what was asked, where the log tells several apart
--   file_id: file
--   line_no: line
--   part: always 1
select
    source_file.configuration,
    coalesce(source_file.run, run_window.run) as run,
    source_file.node,
    question."at",
    question."at" + to_microseconds(coalesce(1000000 * question.elapsed_s, 0)::bigint) as known_at,
    question.is_answered,
    question.elapsed_s,
    question.reason,
    question.target,
    question.file_id,
    question.line_no,
    question.part

from log.client_question as question

inner join source_file
    on question.file_id = source_file.file_id

left join run_window
    on
        source_file.run is null
        and source_file.configuration = run_window.configuration
        and (run_window.start_at is null or question."at" >= run_window.start_at)
        and (run_window.end_at is null or question."at" < run_window.end_at)
