-- One row per run and probe of a client that lost the service in the fault: what its questions say of the time of the
-- fault. UTC. Times of the surviving node's clock (`host_clock`); a probe whose clock cannot be compared with it has
-- no row. The lost node lived when the last answered question was asked. A question asked later than that had no
-- answer: the node had died by the time at which even the slowest answer before would have come, and at the latest
-- when the failure was certain. Servers that elect a leader may miss it before any client does: there the first failed
-- question may come after the loss was seen. One whose outage ends before that has a clock of its own, or other
-- servers to ask.
-- materialised: small, and read twice by the fault times
-- rows by: configuration
-- columns:
--   node: host of the client
--   basis: how the client's clock is known, as in `host_clock`
--   answered_at: the last answered question was asked then, by the surviving node's clock, no earlier
--   failed_at: the first question without an answer was asked then, no later
--   slowest_s: the slowest answer of the probe before, seconds; the time to the failure where fewer than 20 questions
--     were answered
--   low_at: the fault came no earlier
--   high_at: no later
--   likely_at: in the middle between asking the last answered question before the first failed one and asking that:
--     answers are quick, and clocks differ by the middle of what they may
--   is_answered_early: nothing compares the clocks, and the outage ends before the loss was seen
--   failed: questions without an answer up to the membership change, or of an elected leader up to the end of the
--     incident
--   answered_file_id: file of the last answered question
--   answered_line_no: its line
--   failed_file_id: file of the first failed one
--   failed_line_no: its line
with

questions as (

    select
        incident.configuration,
        incident.run,
        incident.membership_at,
        case when elected.run is null then incident.membership_at else incident.end_at end as failed_until,
        client_question.node,
        client_question.target,
        client_question.is_answered,
        client_question.elapsed_s,
        host_clock.basis,
        client_question."at" + to_microseconds((1000000 * host_clock.low_s)::bigint) as low_at,
        client_question."at"
        + to_microseconds((1000000 * (host_clock.high_s + stamp_resolution.resolution_s))::bigint) as high_at,
        client_question.known_at
        + to_microseconds((1000000 * (host_clock.high_s + stamp_resolution.resolution_s))::bigint) as known_at,
        client_question."at"
        + to_microseconds((500000 * (host_clock.low_s + host_clock.high_s + stamp_resolution.resolution_s))::bigint) as middle_at,
        client_question.file_id,
        client_question.line_no

    from incident

    inner join client_question using (configuration, run)

    inner join host_clock
        on
            incident.configuration = host_clock.configuration
            and incident.run = host_clock.run
            and lower(short_host(client_question.node)) is not distinct from host_clock.node_key

    left join (select distinct configuration, run from lost_leader where is_replaced) as elected
        on incident.configuration = elected.configuration and incident.run = elected.run

    inner join stamp_resolution
        on client_question.file_id = stamp_resolution.file_id

    where not incident.is_planned and not incident.is_commanded

),

stretches as (  -- an answered question, and those after it that failed

    select
        *,
        count(*) filter (where is_answered) over (
            partition by configuration, run, node, target order by middle_at, file_id, line_no rows unbounded preceding
        ) as stretch_no

    from questions

    where basis = 'agreement'

),

early as (  -- the longest outage, where it ends before the loss was seen

    select configuration, run, node, target, min(middle_at) as answered_at

    from stretches

    where stretch_no > 0

    group by configuration, run, node, target, stretch_no

    having count(*) > 3 and max(known_at) < any_value(membership_at)

    qualify row_number() over (partition by configuration, run, node, target order by max(middle_at) - min(middle_at) desc) = 1

),

answers as (

    select *, false as is_early from questions where is_answered and high_at <= membership_at

    union all

    select questions.*, true as is_early

    from questions

    inner join early
        on is_same_probe(questions, early)

    where questions.is_answered and questions.middle_at <= early.answered_at

),

answered as (

    select
        configuration,
        run,
        node,
        target,
        is_early,
        max(low_at) as answered_at,
        arg_max(file_id, (low_at, file_id, line_no)) as file_id,
        arg_max(line_no, (low_at, file_id, line_no)) as line_no,
        case when count(elapsed_s) >= 20 then max(elapsed_s) end as slowest_s

    from answers

    group by configuration, run, node, target, is_early

),

failures as (

    select
        questions.configuration,
        questions.run,
        questions.node,
        questions.target,
        answered.is_early,
        any_value(questions.basis) as basis,
        any_value(questions.membership_at) as membership_at,
        any_value(answered.answered_at) as answered_at,
        any_value(answered.slowest_s) as slowest_s,
        any_value(answered.file_id) as answered_file_id,
        any_value(answered.line_no) as answered_line_no,
        min(questions.high_at) as failed_at,
        min(questions.known_at) as known_at,
        min(questions.middle_at) as middle_at,
        arg_min(questions.file_id, (questions.high_at, questions.file_id, questions.line_no)) as file_id,
        arg_min(questions.line_no, (questions.high_at, questions.file_id, questions.line_no)) as line_no,
        count(*) as failed

    from questions

    inner join answered
        on is_same_probe(questions, answered)

    where
        not questions.is_answered
        and questions.low_at >= answered.answered_at
        and questions.high_at <= questions.failed_until

    group by questions.configuration, questions.run, questions.node, questions.target, answered.is_early

    -- one lost question may be chance
    having count(*) >= 2

    qualify row_number() over (
        partition by questions.configuration, questions.run, questions.node, questions.target order by answered.is_early
    ) = 1

),

turns as (  -- the last answered question before the first failed one, though it may lie within the doubt of the clocks

    select failures.configuration, failures.run, failures.node, failures.target, max(questions.middle_at) as middle_at

    from failures

    inner join questions
        on
            is_same_probe(failures, questions)
            and questions.is_answered
            and questions.middle_at < failures.middle_at

    group by failures.configuration, failures.run, failures.node, failures.target

)

select
    failures.configuration,
    failures.run,
    failures.node,
    failures.target,
    failures.basis,
    failures.answered_at,
    failures.failed_at,
    coalesce(failures.slowest_s, (epoch_us(failures.known_at) - epoch_us(failures.failed_at)) / 1000000) as slowest_s,
    failures.answered_at as low_at,
    least(failures.known_at, coalesce(failures.failed_at + to_microseconds((1000000 * failures.slowest_s)::bigint), failures.known_at)) as high_at,
    turns.middle_at + to_microseconds((epoch_us(failures.middle_at) - epoch_us(turns.middle_at)) // 2) as likely_at,
    failures.is_early as is_answered_early,
    failures.failed::integer as failed,
    failures.answered_file_id,
    failures.answered_line_no,
    failures.file_id as failed_file_id,
    failures.line_no as failed_line_no

from failures

inner join turns
    on is_same_probe(failures, turns)

order by failures.configuration, failures.run, failures.node, failures.target
