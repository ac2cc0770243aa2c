-- One row per run and probe of a client: the stretch of failed questions around the fault, and how long the client
-- went without the service. The service was there at some moment between asking and answer of an answered question,
-- and that is all a client can know: the outage is no shorter than the time between the first and the last failed
-- question, and no longer than from asking the last answered question before to the answer of the first one after. A
-- question that waited for its answer much longer than others do was answered when the service was back. The stretch
-- is the longest one that ends after the fault; of a run without a fault the longest there is. Of a client whose clock
-- nothing compares with the servers' it is the longest between answers where none lies beside the fault: its clock is
-- off. Times in UTC, by the client's clock; seconds from the fault by the surviving node's, where `host_clock` proves
-- a difference.
-- materialised: small, and read by measurements and the report
-- rows by: configuration
-- columns:
--   node: host of the client
--   fault_at: fault time of the run; null where it has none
--   last_success_at: the last answered question before the outage was asked then; null where none was
--   first_failure_at: the first failed one was asked then; null where none failed
--   last_failure_at: the last failed one was asked then
--   first_success_at: the first answered question after the outage was asked then; null where none was
--   first_answer_at: and answered then
--   outage_s: length of the outage: the middle of its bounds, but up to its end where a question waited for it,
--     seconds; 0 if no question failed though some were asked before the fault and some after it; null where one end,
--     or the fault itself, is not seen
--   outage_low_s: it was no shorter, seconds; null where the questions do not span the fault
--   outage_high_s: it was no longer, seconds; null where one end is not seen
--   interval_s: time between two questions, the median, seconds: what the outage is known to
--   failed: failed questions of the stretch
--   failed_elsewhere: failed questions of the run outside of it
--   first_failure_s: from the fault to asking the first failed question, seconds
--   first_success_s: from the fault to the first answer after the outage, seconds
--   file_id: file of the first answer after the outage; without one of the last question of the stretch
with

clocks as (  -- what compares a client's clock with the surviving node's; nothing: its outage may lie anywhere

    select
        configuration,
        run,
        node_key,
        bool_or(basis <> 'agreement') as is_compared,
        max(case when basis <> 'agreement' and (low_s > 0 or high_s < 0) then (low_s + high_s) / 2 end) as ahead_s

    from host_clock

    group by configuration, run, node_key

),

questions as (

    select
        *,
        count(*) filter (where is_answered) over earlier as stretch_no,
        (epoch_us("at") - epoch_us(lag("at") over earlier)) / 1000000 as interval_s

    from client_question

    where configuration is not null and run is not null and "at" is not null

    window earlier as (
        partition by configuration, run, node, target order by "at", file_id, line_no rows unbounded preceding
    )

),

probes as (

    select
        questions.configuration,
        questions.run,
        questions.node,
        questions.target,
        any_value(run.fault_at) as fault_at,
        any_value(coalesce(run.fault_at_low, run.fault_at)) as fault_at_low,
        -- steps are followed for longer, but an outage begins with the fault
        least(any_value(run.end_at), any_value(run.fault_at) + interval 1 hour) as end_at,
        coalesce(any_value(clocks.is_compared), false) as is_compared,
        coalesce(any_value(clocks.ahead_s), 0) as ahead_s,
        median(questions.interval_s) as interval_s,
        median(questions.elapsed_s) filter (where questions.is_answered) as typical_s,
        max(questions.interval_s) as longest_interval_s,
        -- without a failed question the client knows of no outage only where it asked before the fault and after it
        coalesce(
            min(questions."at") + to_microseconds(coalesce(1000000 * any_value(clocks.ahead_s), 0)::bigint) <= any_value(coalesce(run.fault_at_low, run.fault_at))
            and max(questions."at") + to_microseconds(coalesce(1000000 * any_value(clocks.ahead_s), 0)::bigint) > any_value(run.fault_at_high),
            any_value(run.fault_at) is null
        ) as holds_fault,
        count(*) filter (where not questions.is_answered) as failed,
        max_by(questions.file_id, (questions."at", questions.file_id, questions.line_no)) as file_id,
        max_by(questions.line_no, (questions."at", questions.file_id, questions.line_no)) as line_no

    from questions

    inner join run using (configuration, run)

    left join clocks
        on
            questions.configuration = clocks.configuration
            and questions.run = clocks.run
            and lower(short_host(questions.node)) is not distinct from clocks.node_key

    group by questions.configuration, questions.run, questions.node, questions.target

),

stretches as (

    select
        configuration,
        run,
        node,
        target,
        stretch_no,
        min("at") as first_failure_at,
        max("at") as last_failure_at,
        count(*) as failed,
        max_by(file_id, ("at", file_id, line_no)) as file_id,
        max_by(line_no, ("at", file_id, line_no)) as line_no

    from questions

    where not is_answered

    group by configuration, run, node, target, stretch_no

),

bounded as (

    select
        stretches.*,
        earlier."at" as last_success_at,
        later."at" as first_success_at,
        later.known_at as first_answer_at,
        coalesce(later.file_id, stretches.file_id) as shown_file_id,
        coalesce(later.line_no, stretches.line_no) as shown_line_no,
        (epoch_us(stretches.last_failure_at) - epoch_us(stretches.first_failure_at)) / 1000000 as low_s,
        case when later.elapsed_s > probes.typical_s + probes.interval_s
            then greatest(
                (epoch_us(later.known_at) - epoch_us(stretches.last_failure_at)) / 2000000 - probes.typical_s, 0
            )
        end as waited_s,
        (epoch_us(later.known_at) - epoch_us(earlier."at")) / 1000000 as high_s,
        (
            probes.fault_at_low is null
            or coalesce(later.known_at, stretches.last_failure_at) + to_microseconds((1000000 * probes.ahead_s)::bigint)
            >= probes.fault_at_low
        )
        and (
            probes.end_at is null
            or stretches.first_failure_at + to_microseconds((1000000 * probes.ahead_s)::bigint) < probes.end_at
        ) as is_beside_fault

    from stretches

    inner join probes
        on is_same_probe(stretches, probes)

    left join questions as earlier
        on
            earlier.is_answered
            and is_same_probe(stretches, earlier)
            and stretches.stretch_no = earlier.stretch_no

    left join questions as later
        on
            later.is_answered
            and is_same_probe(stretches, later)
            and stretches.stretch_no + 1 = later.stretch_no

    where
        is_beside_fault
        or (not probes.is_compared and stretches.failed >= 3 and earlier."at" is not null and later."at" is not null)

    qualify row_number() over (
        partition by stretches.configuration, stretches.run, stretches.node, stretches.target
        order by is_beside_fault desc, coalesce(high_s, low_s) desc, stretches.first_failure_at
    ) = 1

)

select
    probes.configuration,
    probes.run,
    probes.node,
    probes.target,
    probes.fault_at,
    bounded.last_success_at,
    bounded.first_failure_at,
    bounded.last_failure_at,
    bounded.first_success_at,
    bounded.first_answer_at,
    case
        when bounded.failed is not null then (bounded.low_s + bounded.high_s) / 2 + coalesce(bounded.waited_s, 0)
        when probes.holds_fault then 0
    end as outage_s,
    case when bounded.failed is not null then bounded.low_s when probes.holds_fault then 0 end as outage_low_s,
    case
        when bounded.failed is not null then bounded.high_s when probes.holds_fault then probes.longest_interval_s
    end as outage_high_s,
    probes.interval_s,
    coalesce(bounded.failed, 0) as failed,
    probes.failed - coalesce(bounded.failed, 0) as failed_elsewhere,
    (epoch_us(bounded.first_failure_at) - epoch_us(probes.fault_at)) / 1000000 + probes.ahead_s as first_failure_s,
    (epoch_us(bounded.first_answer_at) - epoch_us(probes.fault_at)) / 1000000 + probes.ahead_s as first_success_s,
    coalesce(bounded.shown_file_id, probes.file_id) as file_id,
    coalesce(bounded.shown_line_no, probes.line_no) as line_no

from probes

left join bounded
    on is_same_probe(probes, bounded)

order by probes.configuration, probes.run, probes.node, probes.target
