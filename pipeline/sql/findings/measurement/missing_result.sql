-- A run lacks the result of a benchmark that other runs of its configuration have.
-- severity: warning
with

result as (

    select distinct configuration, run, source, clients

    from measurement

    where run is not null and source not in ('simhadr', 'simhadr_disk', 'client_probe')

),

counted_run as (  -- a load that a fault ended is no failed measurement

    select configuration, run, count(*) over (partition by configuration) as run_count

    from run

    where used and fault_at is null

),

load as (

    select result.configuration, result.source, result.clients, count(*) as result_count

    from result

    inner join counted_run using (configuration, run)

    group by result.configuration, result.source, result.clients

),

attempt as (  -- the last line that a benchmark wrote in a run

    select configuration, run, source, max(file_id) as file_id, arg_max(line_no, (file_id, line_no)) as line_no

    from (
        select configuration, run, source, file_id, line_no from measurement_series where run is not null
        union all by name
        select configuration, run, format as source, file_id, lines::integer as line_no

        from source_file

        where run is not null and status = 'parsed'
    ) as line

    group by configuration, run, source

),

missing as (

    select
        counted_run.configuration,
        counted_run.run,
        counted_run.run_count,
        load.source,
        load.clients,
        load.result_count,
        attempt.file_id,
        attempt.line_no,
        exists (
            from result as other
            where
                counted_run.configuration = other.configuration
                and counted_run.run = other.run
                and load.source = other.source
        ) as has_other

    from counted_run

    inner join load using (configuration)

    anti join result
        on
            counted_run.configuration = result.configuration
            and counted_run.run = result.run
            and load.source = result.source
            and load.clients is not distinct from result.clients

    left join attempt
        on
            counted_run.configuration = attempt.configuration
            and counted_run.run = attempt.run
            and load.source = attempt.source

)

select
    configuration,
    run,
    format(
        'No result of {}{} in {} of `{}`, while {} of its {} runs have one: no mean holds this run{}.',
        source,
        case when has_other then ' under ' || string_agg(clients, ', ' order by clients) || ' clients' else '' end,
        run_text(run),
        configuration,
        max(result_count),
        run_count,
        case
            when has_other then ' under that load'
            when file_id is null then ', and no file of it was recognised there'
            else '; its output ends there'
        end
    ) as text,
    file_id,
    line_no

from missing

-- runs may be of different kinds: a load that few runs were put under is expected of no other
where result_count * 2 > run_count or (file_id is not null and not has_other)

group by configuration, run, run_count, source, has_other, file_id, line_no
