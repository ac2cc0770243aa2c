-- One row per run and milestone that a log line shows: the completion of a step, in seconds after the fault.
-- A stamp is cut, so the step lies in [stamp, stamp + resolution) and is placed in the middle; the fault lies in the interval that its
-- evidence allows and is placed in the middle too. The low and high ends hold what both allow, and what a corrected clock leaves open.
-- Evidence is the surviving node's own log; where it has none for a step, another node's, as the note says, never the lost node's.
-- A milestone that no line shows has no row.
-- materialised: read by every statistic
-- rows by: configuration
-- empty without rows of: milestone_line
-- from: fault_time by configuration, run
-- columns:
--   at: stamp of the line as printed, UTC
--   elapsed_s: best estimate, seconds: the middle of the stamp minus the fault time
--   elapsed_low_s: least that stamp, fault interval and clock allow, seconds; never below zero
--   elapsed_high_s: most that they allow, seconds
--   printed_elapsed_s: the stamp as printed minus the fault time, seconds
--   uncertainty_s: standard uncertainty of the estimate in this run, seconds: the stamp evenly distributed, the fault as the
--     sum of three even parts
--   method: message (by message id), text, inferred (order of lines, for clustered storage)
--   note: what to know about the evidence
with

clock_errors as (

    select milestone_line.file_id, milestone_line.line_no, fsum(correction.error_s order by correction.error_s) as error_s

    from (select distinct file_id, line_no from milestone_line) as milestone_line

    inner join log.clock_correction as correction
        on
            milestone_line.file_id = correction.file_id
            and milestone_line.line_no between correction.from_line and correction.to_line

    group by milestone_line.file_id, milestone_line.line_no

),

spans as (  -- whole microseconds, so that equal stamps give equal durations

    select
        milestone_line.*,
        coalesce(clock_errors.error_s, 0) as clock_error_s,
        (1000000 * coalesce(clock_errors.error_s, 0))::bigint as clock_error_us,
        epoch_us(milestone_line."at") - epoch_us(run.fault_at) as printed_us,
        -- a client's answer is known to the instant; what it says of the service lies up to one question earlier
        milestone_line.stack = 'client' as is_answer,
        case when is_answer then 0 else (1000000 * milestone_line.resolution_s)::bigint end as resolution_us,
        case when is_answer then (1000000 * milestone_line.resolution_s)::bigint else 0 end as question_us,
        epoch_us(milestone_line."at") - epoch_us(run.fault_at_high) as low_us,
        epoch_us(run.fault_at_high) - epoch_us(run.fault_at_low) as fault_width_us,
        run.fault_common_error_s,
        run.fault_common_cause,
        run.run_no

    from milestone_line

    inner join run using (configuration, run)

    left join clock_errors
        on milestone_line.file_id = clock_errors.file_id and milestone_line.line_no = clock_errors.line_no

    where run.fault_at is not null

)

select
    configuration,
    run,
    stack,
    milestone,
    "at",
    greatest(printed_us + resolution_us // 2, 0) / 1000000 as elapsed_s,
    greatest(low_us - question_us - clock_error_us, 0) / 1000000 as elapsed_low_s,
    greatest(low_us + fault_width_us + resolution_us + clock_error_us, 0) / 1000000 as elapsed_high_s,
    printed_us / 1000000 as printed_elapsed_s,
    -- a count of seconds, a stamp and a heartbeat make up the fault interval: its middle is likelier than its ends
    sqrt(
        (resolution_us / 1000000) ^ 2 / 12
        + greatest(fault_width_us / 1000000 - 2 * fault_common_error_s, 0) ^ 2 / 36
        + clock_error_s ^ 2 / 3
    ) as uncertainty_s,
    fault_common_error_s as common_error_s,
    fault_common_cause as common_cause,
    resolution_s,
    case
        when milestone = 'cvm_cfs' then 'inferred'
        when has_message_id then 'message'
        else 'text'
    end as method,
    nullif(concat_ws(
        '; ',
        case when evidence > 1 then 'second choice of evidence' end,
        case when is_other_node then 'from a log of ' || node || ', not of the surviving node' end
    ), '') as note,
    evidence,
    node,
    file_id,
    line_no

from spans

order by configuration, run_no, run, milestone
