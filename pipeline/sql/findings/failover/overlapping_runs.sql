-- Runs of the same hosts overlap in time: by the logs of their folders, or by their failovers.
-- What cumulative logs hold of earlier runs overlaps with these by nature.
-- severity: warning
with

known as (

    select
        configuration,
        split_part(run, '#', 1) as run,
        min(run_no) as run_no,
        bool_or(same_as is not null) as holds_others,
        bool_or(used) as is_used

    from run

    group by configuration, split_part(run, '#', 1)

),

by_logs as (

    select
        configuration,
        run,
        lower(short_host(node)) as host,
        min(first_at) as start_at,
        max(last_at) as end_at,
        min(file_id) as file_id,
        null::int as line_no

    from source_file

    where status = 'parsed' and run is not null and node is not null and first_at is not null

    group by configuration, run, lower(short_host(node))

),

last_steps as (

    select configuration, run, max("at") as "at" from milestone group by configuration, run

),

by_failovers as (

    select
        run.configuration,
        run.run,
        unnest([lower(run.lost_node), lower(run.surviving_node)]) as host,
        coalesce(run.fault_at_low, run.fault_at) as start_at,
        greatest(run.fault_at_high, last_steps."at") as end_at,
        run.file_id,
        run.line_no

    from run

    left join last_steps using (configuration, run)

    where run.used and run.fault_at is not null

),

spans as (

    select spans.*, known.run_no, known.holds_others

    from (select * from by_logs union all select * from by_failovers) as spans

    inner join known using (configuration, run)

    where known.is_used and spans.host is not null

),

pairs as (

    select
        later.configuration,
        later.run,
        later.run_no,
        later.host,
        earlier.configuration as other_configuration,
        earlier.run as other_run,
        epoch(least(earlier.end_at, later.end_at) - later.start_at) as common_s,
        later.file_id,
        later.line_no

    from spans as later

    inner join spans as earlier
        on
            later.host = earlier.host
            and earlier.start_at <= later.start_at
            and earlier.end_at > later.start_at
            and (earlier.configuration, earlier.run) <> (later.configuration, later.run)

    where not later.holds_others and not earlier.holds_others

),

by_run as (

    select distinct on (configuration, run) * from pairs order by configuration, run, common_s desc, other_configuration, other_run, host, line_no

)

select
    configuration,
    min(run) as run,
    format(
        'In `{}`, {} {} in time with other runs of the same hosts ({} with {} of `{}` on `{}`, for {}): '
        'one disturbs the other, or both are one.',
        configuration,
        runs_text(list(run_text(run) order by run_no, run)),
        case when count(*) = 1 then 'overlaps' else 'overlap' end,
        run_text(first(run order by common_s desc, run)),
        run_text(first(other_run order by common_s desc, run)),
        first(other_configuration order by common_s desc, run),
        first(host order by common_s desc, run),
        value_text(max(common_s), 's')
    ) as text,
    min(file_id) as file_id,
    min(line_no) as line_no

from by_run

group by configuration
