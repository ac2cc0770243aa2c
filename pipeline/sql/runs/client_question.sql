-- One row per question that a client's probe asked of the service, with its outcome. Questions overlap where the next
-- one does not wait for the answer. An operation of a test that injects faults is a question too: asked when invoked,
-- answered where it ended as `ok`; one that failed, or of which nobody knows, was not. Times in UTC.
-- columns:
--   run: run folder, else the run in whose time the question lies
--   node: host of the client
--   at: when it was asked
--   known_at: when the outcome was known; as `at` where the log does not tell
--   reason: why it failed, as the probe words it
--   part: always 1
with

questions as (

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

    inner join source_file using (file_id)

    left join run_hour as long_run
        on source_file.run is null and is_in_long_run(source_file.configuration, question."at", long_run)

    left join run_hour
        on source_file.run is null and is_in_run_hour(source_file.configuration, question."at", run_hour)

),

paired as (  -- a process asks one question at a time

    select
        *,
        lead("at") over next_of_process as known_at,
        lead(type) over next_of_process as outcome,
        lead(error) over next_of_process as reason

    from test_operation

    where process <> 'nemesis' and "at" is not null

    window next_of_process as (partition by configuration, run, file_id, process order by line_no)

),

operations as (

    select
        configuration,
        run,
        null::varchar as node,
        "at",
        case when outcome <> 'invoke' then known_at else "at" end as known_at,
        coalesce(outcome = 'ok', false) as is_answered,
        case when outcome <> 'invoke' then (epoch_us(known_at) - epoch_us("at")) / 1000000 end as elapsed_s,
        case
            when coalesce(outcome, 'invoke') = 'invoke' then 'no outcome'
            when outcome <> 'ok'
                then coalesce(nullif(regexp_extract(reason, '^\[?:([^\s\]]+)', 1), ''), reason, outcome)
        end
        as reason,
        null::varchar as target,
        file_id,
        line_no,
        part

    from paired

    where type = 'invoke'

)

select * from questions
union all by name
select * from operations
