-- One row per injected fault and probe of a client: the longest time without an answer, and whether it is longer than
-- what is usual. Of all answers of the probe, whichever of its workers got them: the time from one to the next is a
-- gap. Those count that overlap the fault: from when it was asked until it was healed, and where nothing healed it
-- until the next one. A gap that began during the fault counts to its end. What is usual is the longest gap of the run
-- outside of all faults. Where faults share a gap, no line says which of them made it. Times in UTC.
-- materialised: reads every question
-- rows by: configuration
-- columns:
--   fault_no: number of the fault within the run
--   kind: what was done, as the test calls it
--   node: host of the client
--   asked_at: the fault began no earlier
--   last_answer_at: the last answer before the longest gap
--   next_answer_at: the first answer after it; null where none came
--   gap_s: from one to the other, seconds; null where no answer came although clients still asked, or none before
--   usual_gap_s: longest gap of the run that overlaps no fault, seconds; null where there is none
--   outage_s: the gap where it is longer than what is usual, of that what is after the fault was asked; else 0;
--     seconds; null where its end is not seen
--   faults: faults of the run that share the gap
--   failed: questions asked during the fault that were not answered, or of which nobody knows
--   answered: questions asked during the fault that were answered
--   file_id: file of the first question that was answered after the gap; without one of the fault
with

windows as (

    select
        *,
        coalesce(
            end_done_at, lead(asked_at) over (partition by configuration, run order by fault_no), timestamp '9999-12-31'
        ) as window_end_at

    from injected_fault

),

probes as (

    select configuration, run, node, target, max(known_at) as watched_until

    from client_question

    where run in (select run from injected_fault)

    group by configuration, run, node, target

),

answers as (

    select
        question.*,
        probes.watched_until,
        question.known_at as last_answer_at,
        lead(question.known_at) over in_order as next_answer_at,
        lead(question.file_id) over in_order as next_file_id,
        lead(question.line_no) over in_order as next_line_no

    from client_question as question

    inner join probes
        on is_same_probe(question, probes)

    where question.is_answered

    window
        in_order as (
            partition by question.configuration, question.run, question.node, question.target
            order by question.known_at, question.file_id, question.line_no
        )

),

gaps as (

    select
        *,
        (epoch_us(next_answer_at) - epoch_us(last_answer_at)) / 1000000 as gap_s,
        (epoch_us(coalesce(next_answer_at, watched_until)) - epoch_us(last_answer_at)) / 1000000 as least_s

    from answers

),

in_fault as (

    select windows.fault_no, gaps.*

    from windows

    inner join gaps
        on
            windows.configuration = gaps.configuration
            and windows.run = gaps.run
            and coalesce(gaps.next_answer_at, timestamp '9999-12-31') > windows.asked_at
            and gaps.last_answer_at < windows.window_end_at

),

longest as (

    select *

    from in_fault

    qualify row_number() over (
        partition by configuration, run, fault_no, node, target order by least_s desc, last_answer_at
    ) = 1

),

usual as (

    select configuration, run, node, target, max(gap_s) as usual_gap_s

    from gaps

    anti join in_fault using (configuration, run, file_id, line_no)

    group by configuration, run, node, target

),

asked as (

    select
        windows.configuration,
        windows.run,
        windows.fault_no,
        question.node,
        question.target,
        count(*) filter (where not question.is_answered) as failed,
        count(*) filter (where question.is_answered) as answered

    from windows

    inner join client_question as question
        on
            windows.configuration = question.configuration
            and windows.run = question.run
            and question."at" >= windows.asked_at
            and question."at" < windows.window_end_at

    group by windows.configuration, windows.run, windows.fault_no, question.node, question.target

)

select
    windows.configuration,
    windows.run,
    windows.fault_no,
    windows.kind,
    probes.node,
    probes.target,
    windows.asked_at,
    longest.last_answer_at,
    longest.next_answer_at,
    longest.gap_s,
    usual.usual_gap_s,
    case
        when longest.gap_s > coalesce(usual.usual_gap_s, 0)
            then (epoch_us(longest.next_answer_at) - epoch_us(greatest(longest.last_answer_at, windows.asked_at))) / 1000000
        when longest.least_s <= coalesce(usual.usual_gap_s, 0) then 0
    end as outage_s,
    case
        when longest.last_answer_at is not null
            then count(*) over (partition by windows.configuration, windows.run, probes.node, probes.target, longest.last_answer_at)
    end::integer as faults,
    coalesce(asked.failed, 0) as failed,
    coalesce(asked.answered, 0) as answered,
    coalesce(longest.next_file_id, windows.file_id) as file_id,
    case when longest.next_file_id is null then windows.line_no else longest.next_line_no end as line_no

from windows

inner join probes using (configuration, run)

left join longest
    on windows.fault_no = longest.fault_no and is_same_probe(probes, longest)

left join usual
    on is_same_probe(probes, usual)

left join asked
    on windows.fault_no = asked.fault_no and is_same_probe(probes, asked)

order by windows.configuration, windows.run, windows.fault_no, probes.node, probes.target
