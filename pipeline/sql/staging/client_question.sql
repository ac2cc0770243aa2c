-- One row per question that a client's probe asked of the service, with its outcome.
-- Questions overlap where the next one does not wait for the answer. Times in UTC.
-- columns:
--   run: run folder, else the run in whose time the question lies
--   node: host of the client
--   at: when it was asked
--   known_at: when the outcome was known; as `at` where the log does not tell
--   reason: why it failed, as the probe words it
--   part: always 1
select
    source_file.configuration,
    coalesce(source_file.run, long_run.run, run_hour.run) as run,
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

left join run_hour as long_run
    on
        source_file.run is null
        and source_file.configuration = long_run.configuration
        and long_run.hour is null
        and is_within(question."at", long_run.start_at, long_run.end_at)

left join run_hour
    on
        source_file.run is null
        and source_file.configuration = run_hour.configuration
        and time_bucket(interval 1 hour, question."at") = run_hour.hour
        and question."at" >= run_hour.start_at
        and question."at" < run_hour.end_at
