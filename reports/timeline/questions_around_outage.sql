-- One row per question of a client at either end of its outage, of one run or, with parameters that are null, of all.
select
    questions.configuration,
    questions.run,
    questions."at",
    questions.node,
    questions.target,
    files.path,
    questions.line_no,
    case questions."at"
        when outages.last_success_at then 'last answer before the outage'
        when outages.first_failure_at then 'first question without an answer'
        when outages.last_failure_at then 'last question without an answer'
        else 'first answer after the outage of ' || round(outages.outage_s, 3)::varchar || ' s'
    end as text

from main.client_outage as outages

inner join main.client_question as questions
    on outages.configuration = questions.configuration
    and outages.run = questions.run
    and outages.node is not distinct from questions.node
    and outages.target is not distinct from questions.target

left join main.source_file as files
    on questions.file_id = files.file_id

where
    questions."at" in (
        outages.last_success_at, outages.first_failure_at, outages.last_failure_at, outages.first_success_at
    )
    and ($configuration is null or questions.configuration = $configuration)
    and ($run is null or questions.run = $run)

order by questions."at", files.path, questions.line_no
