-- One row per incident: how far its recovery came, and how long the surviving node's logs go on. Times in UTC.
-- The deciding logs are those that hold the steps of its cluster manager and database; other logs of the node may go on without them.
-- materialised: read by several steps of `run_outcome`
-- rows by: configuration
-- empty without rows of: incident
-- columns:
--   fault_at: fault time
--   recovered_at: the last of the steps that mean service, where all of them are shown; else null
--   first_service_at: the first of them that is shown
--   first_service_by: when the first of them was certainly done, as its stamp is cut
--   service_at: the last of them that is shown
--   service_step: which one it is
--   service_file_id: file of its line
--   service_line_no: line
--   last_step: last step in time that is shown, without those that come after service by themselves (resynchronisation, peer, client)
--   last_step_at: its time
--   step_file_id: file of its line
--   step_line_no: line
--   missing_step: the last by place of the steps that mean service that no line shows; null without one, or where none is known
--   is_hidden: no file of the surviving node could show the missing step, and another step that means service is shown
--   is_begun: a step is shown after which the missing one must follow
--   progress_at: last line on the failover in the deciding logs
--   progress_file_id: file of it
--   progress_line_no: line
--   deciding_end_at: last line of any kind in the deciding logs
--   end_at: last line of any log of the surviving node
--   needed_s: greatest time from the fault to recovery of the runs of the configuration that show all steps
with

considered as (

    select
        incident.*,
        run.fault_at

    from incident

    inner join run using (configuration, run)

),

step_counts as (

    select configuration, count(*) as steps from recovery_step group by configuration

),

shown as (

    select
        steps.configuration,
        steps.run,
        count(*) as steps,
        min(steps."at") as first_at,
        min(steps."at" + to_microseconds((1000000 * steps.resolution_s)::bigint)) as first_by,
        max(steps."at") as last_at,
        max_by(steps, (steps."at", steps.file_id, steps.line_no, steps.milestone)) as last_step

    from milestone as steps

    inner join recovery_step using (configuration, milestone)

    group by steps.configuration, steps.run

),

last_steps as (

    select milestone.configuration, milestone.run, milestone.milestone, milestone."at", milestone.file_id, milestone.line_no

    from milestone

    left join recovery_step using (configuration, milestone)

    where
        recovery_step.milestone is not null
        or milestone.milestone not in ('client_success', 'resync_start', 'resync_done', 'peer')

    qualify row_number() over (
        partition by milestone.configuration, milestone.run
        order by milestone."at" desc, milestone.file_id desc, milestone.line_no desc, milestone.milestone
    ) = 1

),

missing as (

    select
        considered.configuration,
        considered.run,
        recovery_step.milestone,
        begun.milestone is not null as is_begun

    from considered

    inner join recovery_step using (configuration)

    left join milestone using (configuration, run, milestone)

    left join milestone as begun
        on
            considered.configuration = begun.configuration
            and considered.run = begun.run
            and recovery_step.begun_by = begun.milestone

    where milestone.milestone is null

    qualify row_number() over (
        partition by considered.configuration, considered.run
        order by begun.milestone is null, recovery_step.position desc
    ) = 1

),

step_sources as (

    select distinct milestone, source from study.milestone_rule where source is not null

),

deciding_sources as (  -- of the steps that mean service; of all where none is known

    select distinct considered.configuration, considered.run, step_sources.source

    from considered

    inner join recovery_step using (configuration)

    inner join step_sources using (milestone)

    where step_sources.source <> 'client'

    union

    select considered.configuration, considered.run, source

    from considered

    cross join (values ('vcs'), ('db2diag'), ('ha')) as any_source (source)

    where considered.configuration not in (select recovery_step.configuration from recovery_step)

),

written as (  -- an instant of a kind of log, with its last line

    select
        configuration,
        coalesce(unit_run, '') as unit_key,
        coalesce(node_key, '') as node_key,
        source,
        "at",
        max((file_id, line_no)) as last_line

    from cluster_line

    where source <> 'client'

    group by all

),

writers as (  -- the surviving node, and a node that no line names

    select configuration, run, coalesce(unit_run, '') as unit_key, end_at, surviving_key as node_key

    from considered

    where surviving_key is not null and surviving_key <> ''

    union all

    select configuration, run, coalesce(unit_run, ''), end_at, '' from considered

),

progress as (

    select
        writers.configuration,
        writers.run,
        written."at",
        written.last_line[1] as file_id,
        written.last_line[2] as line_no

    from writers

    inner join deciding_sources using (configuration, run)

    asof inner join written
        on
            writers.configuration = written.configuration
            and writers.unit_key = written.unit_key
            and writers.node_key = written.node_key
            and deciding_sources.source = written.source
            and writers.end_at > written."at"

    qualify row_number() over (
        partition by writers.configuration, writers.run order by written."at" desc, written.last_line desc
    ) = 1

),

files as (

    select
        configuration,
        coalesce(unit_run, '') as unit_key,
        coalesce(node_key, '') as node_key,
        source,
        file_id,
        min("at") as first_at

    from cluster_line

    where source <> 'client'

    group by all

),

file_sources as (

    select distinct writers.configuration, writers.run, files.source, files.file_id

    from writers

    inner join files
        on
            writers.configuration = files.configuration
            and writers.unit_key = files.unit_key
            and writers.node_key = files.node_key
            and writers.end_at > files.first_at

),

missing_sources as (  -- whether a file of the run could show the missing step

    select missing.configuration, missing.run

    from missing

    inner join step_sources using (milestone)

    inner join file_sources using (configuration, run, source)

    group by missing.configuration, missing.run

),

file_ends as (

    select
        file_sources.configuration,
        file_sources.run,
        max(least(source_file.last_at, considered.end_at)) filter (where deciding_sources.source is not null) as deciding_end_at,
        max(least(source_file.last_at, considered.end_at)) as own_end_at

    from file_sources

    inner join considered using (configuration, run)

    inner join source_file
        on file_sources.file_id = source_file.file_id

    left join deciding_sources using (configuration, run, source)

    group by file_sources.configuration, file_sources.run

),

node_ends as (

    select considered.configuration, considered.run, max(least(source_file.last_at, considered.end_at)) as end_at

    from considered

    inner join source_file
        on
            considered.configuration = source_file.configuration
            and (source_file.run is null or source_file.run is not distinct from considered.unit_run)
            and lower(short_host(source_file.node)) = considered.surviving_key
            and source_file.status = 'parsed'

    group by considered.configuration, considered.run

),

joined as (

    select
        considered.configuration,
        considered.run,
        considered.fault_at,
        case when shown.steps = step_counts.steps then shown.last_at end as recovered_at,
        shown.first_at as first_service_at,
        shown.first_by as first_service_by,
        shown.last_at as service_at,
        shown.last_step.milestone as service_step,
        shown.last_step.file_id as service_file_id,
        shown.last_step.line_no as service_line_no,
        last_steps.milestone as last_step,
        last_steps."at" as last_step_at,
        last_steps.file_id as step_file_id,
        last_steps.line_no as step_line_no,
        missing.milestone as missing_step,
        missing.milestone is not null and shown.steps > 0 and missing_sources.run is null as is_hidden,
        coalesce(missing.is_begun, false) as is_begun,
        progress."at" as progress_at,
        progress.file_id as progress_file_id,
        progress.line_no as progress_line_no,
        file_ends.deciding_end_at,
        greatest(file_ends.own_end_at, node_ends.end_at) as end_at

    from considered

    left join step_counts using (configuration)

    left join shown using (configuration, run)

    left join last_steps using (configuration, run)

    left join missing using (configuration, run)

    left join missing_sources using (configuration, run)

    left join progress using (configuration, run)

    left join file_ends using (configuration, run)

    left join node_ends using (configuration, run)

)

select
    *,
    max((epoch_us(recovered_at) - epoch_us(fault_at)) / 1000000) over (partition by configuration) as needed_s

from joined

order by configuration, run
