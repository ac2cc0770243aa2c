-- Several files give figures of one run.
-- severity: note
with

shared_runs as (

    select configuration, run, source, metric, label, clients, count(distinct file_id) as file_count, min(file_id) as file_id

    from measurement

    where is_valid

    group by configuration, run, source, metric, label, clients

    having count(distinct file_id) > 1

)

select
    configuration,
    run,
    format(
        '{} files give figures of {} of `{}`, which are averaged; to count as separate runs they need run folders or names that end in run1, run2, ...',
        max(file_count),
        run_text(run),
        configuration
    ) as text,
    min(file_id) as file_id

from shared_runs

group by configuration, run
