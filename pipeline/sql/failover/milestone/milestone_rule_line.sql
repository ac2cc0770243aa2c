-- One row per run, milestone rule of the study and line that it finds. `milestone_line` takes one for each milestone.
-- materialised: read by the lines of milestones; empty in most studies, and then no line need be read
-- rows by: configuration
-- empty without rows of: study.milestone_rule where is_user, study.milestone_rule where text_pattern is not null
-- columns:
--   stack: cluster stack of the rule
--   evidence: 1 is the preferred evidence
--   pick: first or last
--   after: milestone that the line must follow, where the rule names one; else null
--   before: milestone that the line must precede, where the rule names one; else null
--   at: stamp as printed
--   has_message_id: matched by message id, else by what its text says
--   is_other_node: the line is not from the surviving node's logs
with

user_rules as (

    select * from study.milestone_rule where text_pattern is not null or is_user

),

run_rules as (

    select
        rule.milestone,
        rule.stack,
        rule.evidence,
        rule.source,
        rule.message_ids,
        rule.text_pattern,
        rule.pick,
        rule."after",
        rule."before",
        run.configuration,
        run.run,
        -- lines of a folder's further incidents lie in the folder
        split_part(run.run, '#', 1) as folder_run,
        run.fault_at,
        run.membership_at,
        run.end_at,
        incident_instant.service_end_at,
        incident_instant.database_start_at,
        coalesce(lower(run.lost_node), '') as lost_key,
        lower(run.surviving_node) as surviving_key

    from user_rules as rule

    cross join run

    inner join incident_instant using (configuration, run)

    where run.fault_at is not null

),

ha_places as (select distinct file_id, line_no from ha_line),

events as (  -- a line of a stack stands in logs of many kinds

    select event_line.*, ha_places.file_id is not null as is_ha_line

    from event_line

    left join ha_places using (file_id, line_no)

)

select
    run_rules.* exclude (source, message_ids, text_pattern, folder_run, lost_key, surviving_key),
    event."at",
    line_resolution(event."at", stamp_resolution.resolution_s, stamp_resolution.whole_milli_s, stamp_resolution.whole_second_s) as resolution_s,
    list_contains(run_rules.message_ids, event.message_id) as has_message_id,
    event.node is not null and lower(event.node) <> coalesce(run_rules.surviving_key, lower(event.node)) as is_other_node,
    event.node,
    event.file_id,
    event.line_no,
    event.part

from run_rules

inner join events as event
    on
        run_rules.configuration = event.configuration
        and run_rules.folder_run = event.run
        and lower(event.node) is distinct from run_rules.lost_key
        and event."at" < run_rules.end_at
        and event."at" >= run_rules.fault_at - interval 1 second
        and (run_rules.source is null or event.source = run_rules.source or (run_rules.source = 'ha' and event.is_ha_line))
        and (
            list_contains(run_rules.message_ids, event.message_id)
            or (
                run_rules.text_pattern is not null
                and regexp_matches(event.text, run_rules.text_pattern)
            )
        )

inner join stamp_resolution using (file_id)
