-- A used run lacks steps that other runs of its configuration show, as its log of them is missing or begins too late:
-- their means rest on fewer runs.
-- severity: warning
with

shown as (

    select milestone.configuration, milestone.run, milestone.milestone, source_file.format

    from milestone

    inner join run using (configuration, run)

    inner join source_file
        on milestone.file_id = source_file.file_id

    where run.used

),

steps as (

    select configuration, milestone, format, count(distinct run) as runs from shown group by configuration, milestone, format

),

lacking as (

    select
        run.configuration,
        run.run,
        run.run_no,
        incident.unit_run,
        incident.surviving_key,
        run.fault_at,
        run.fault_at_high,
        steps.milestone,
        steps.format,
        coalesce(log_format.role = 'measurement', false) as is_of_client

    from run

    inner join incident using (configuration, run)

    inner join steps using (configuration)

    left join log_format using (format)

    anti join shown
        on run.configuration = shown.configuration and run.run = shown.run and steps.milestone = shown.milestone

    anti join run_outcome  -- these lack steps because they failed
        on
            run.configuration = run_outcome.configuration
            and run.run = run_outcome.run
            and run_outcome.outcome in ('failed', 'aborted')

    where run.used and run.fault_at is not null

),

writers as (  -- several hosts may write one file

    select file_id, node_key from node_file
    union
    select file_id, node_key from cluster_line

),

written as (

    select
        source_file.file_id,
        source_file.configuration,
        source_file.run,
        source_file.format,
        source_file.path,
        source_file.first_at,
        writers.node_key

    from source_file

    inner join writers using (file_id)

    where source_file.first_at is not null

),

logs as (

    select
        lacking.configuration,
        lacking.run,
        lacking.run_no,
        lacking.milestone,
        lacking.format,
        lacking.is_of_client,
        lacking.fault_at,
        any_value(lacking.fault_at_high) as fault_at_high,
        min(written.first_at) as first_at,
        min_by(written.file_id, written.first_at) as file_id,
        min_by(parse_filename(written.path), written.first_at) as name

    from lacking

    left join written
        on
            lacking.configuration = written.configuration
            and lacking.format = written.format
            and (written.run is null or written.run is not distinct from lacking.unit_run)
            and (lacking.is_of_client or coalesce(written.node_key = lacking.surviving_key, true))

    group by all

),

reasons as (

    select
        configuration,
        run,
        run_no,
        case
            when first_at is null and is_of_client then format('it has no `{}`', format)
            when first_at is null then format('it has no `{}` of the node that took over', format)
            else format('its `{}` begins {} after the fault', name, value_text(epoch(first_at - fault_at), 's'))
        end as reason,
        string_agg(distinct format('`{}`', milestone), ', ' order by format('`{}`', milestone)) as steps,
        any_value(file_id) as file_id

    from logs

    where first_at is null or first_at > fault_at_high

    group by configuration, run, run_no, reason

)

select
    configuration,
    run,
    format('In `{}`, {} lacks {}: {}. Their means rest on the other runs.', configuration, run_text(run), steps, reason) as text,
    file_id,
    null::int as line_no

from reasons
