-- One row per run and milestone that a log line shows: the line that is its evidence. `milestone` computes the seconds.
-- Evidence is the surviving node's own log; where it has none for a step, another node's, never the lost node's.
-- materialised: read by the milestones and the trace
-- rows by: configuration
-- empty without rows of: incident, milestone_candidate
-- columns:
--   at: stamp of the line as printed, UTC
--   evidence: 1 if the preferred evidence was found
--   has_message_id: found by message id, else by its text
with

candidates as (  -- read twice: the view is planned once. `choice` orders the lines that show a step: the first is taken

    select *, evidence_order(evidence, is_other_node, pick, "at", line_no, file_id, part) as choice from milestone_candidate

),

anchors as (

    select *

    from candidates

    where "after" is null and "before" is null

    qualify row_number() over (partition by configuration, run, milestone order by choice) = 1

),

dependent as (

    select candidates.*

    from candidates

    left join anchors as earlier
        on
            candidates.configuration = earlier.configuration
            and candidates.run = earlier.run
            and candidates."after" = earlier.milestone

    left join anchors as later
        on
            candidates.configuration = later.configuration
            and candidates.run = later.run
            and candidates."before" = later.milestone

    where
        (candidates."after" is not null or candidates."before" is not null)
        and (
            earlier.milestone is null
            or (
                candidates."at" >= earlier."at"
                -- recovery of the same database
                and (earlier.instance is null or candidates.instance is not distinct from earlier.instance)
                and (
                    earlier.database is null
                    or candidates.database is null
                    or candidates.database = earlier.database
                )
            )
        )
        and (later.milestone is null or candidates."at" <= later."at")

    qualify row_number() over (partition by candidates.configuration, candidates.run, candidates.milestone order by candidates.choice) = 1

),

built_in as (  -- a milestone may have evidence of both kinds

    select *

    from (
        select * from anchors
        union all by name
        select * from dependent
    )

    qualify row_number() over (partition by configuration, run, milestone order by choice) = 1

),

user_choices as (

    select user_lines.*

    from milestone_rule_line as user_lines

    left join built_in as earlier
        on
            user_lines.configuration = earlier.configuration
            and user_lines.run = earlier.run
            and user_lines."after" = earlier.milestone

    left join built_in as later
        on
            user_lines.configuration = later.configuration
            and user_lines.run = later.run
            and user_lines."before" = later.milestone

    where
        user_lines."at" + to_microseconds((1000000 * user_lines.resolution_s)::bigint) > case
            when user_lines."after" in ('fault', 'search_start') then user_lines.fault_at
            when user_lines."after" = 'membership' then user_lines.membership_at
            when user_lines."after" = 'service_end' then user_lines.service_end_at
            when user_lines."after" = 'database_start' then user_lines.database_start_at
            when user_lines."after" = 'end' then user_lines.end_at
            else earlier."at"
        end
        and user_lines."at" <= case
            when user_lines."before" = 'membership' then user_lines.membership_at
            when user_lines."before" = 'service_end' then user_lines.service_end_at
            when user_lines."before" = 'database_start' then user_lines.database_start_at
            when user_lines."before" in ('fault', 'search_start') then user_lines.fault_at
            when user_lines."before" = 'end' then user_lines.end_at
            else later."at"
        end

    qualify row_number() over (
        partition by user_lines.configuration, user_lines.run, user_lines.milestone
        order by evidence_order(
            user_lines.evidence, user_lines.is_other_node, user_lines.pick, user_lines."at", user_lines.line_no, user_lines.file_id,
            user_lines.part
        )
    ) = 1

),

chosen as (

    select * from built_in
    union all by name
    select * exclude (fault_at, membership_at, end_at, service_end_at, database_start_at) from user_choices

)

select
    configuration,
    run,
    stack,
    milestone,
    "at",
    resolution_s,
    evidence,
    has_message_id,
    is_other_node,
    node,
    file_id,
    line_no

from chosen
