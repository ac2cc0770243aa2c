-- One row per question in the run of an incident that a server refused in words: of outages that last for hours, as
-- many as are enough. UTC. Words that name a port or a number differ from question to question, and say nothing.
-- columns:
--   node_key: host of the client, in small letters; null where the folder of its log names none
--   first_known_at: when the first refusal of this host with these words was known
--   last_asked_at: when the last question was asked that had it
with

questions as (

    select
        incident.configuration,
        incident.unit_run,
        incident.run,
        lower(short_host(client_question.node)) as node_key,
        client_question.reason,
        client_question."at",
        client_question.known_at

    from incident

    inner join client_question using (configuration, run)

    where
        not client_question.is_answered
        and client_question.elapsed_s is not null
        and length(client_question.reason) >= 12

),

frequent as (

    select configuration, run, reason

    from questions

    group by configuration, run, reason

    having count(*) > 1

    qualify row_number() over (partition by configuration, run order by count(*) desc, reason) <= 5

)

select
    questions.*,
    min(known_at) over (partition by configuration, run, node_key, reason) as first_known_at,
    max("at") over (partition by configuration, run, node_key, reason) as last_asked_at

from questions

inner join frequent using (configuration, run, reason)

qualify row_number() over (partition by configuration, run, node_key, reason order by "at") <= 200
