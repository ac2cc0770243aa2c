-- One row per doubt about the data or a result that a reader should know.
-- columns:
--   severity: warning (may change a result) or note
--   kind: few_runs, spread, outlier, fault_disagreement, clock_step, clock_doubt, rejected_lines, unread_file, misplaced_file,
--     unknown_name, excluded, not_used, drift, no_reference, mode_split, first_run, autocorrelation, warm_up, design,
--     record_gap, lost_messages, failed_operation, cluster_trouble, assumed_timer, inferred_timer, assumed_timezone, phase_order, invalid_measurement,
--     doubtful_measurement, averaged_files, not_comparable, hadr_planning, label_contradiction,
--     jeopardy, ddna, planned_switch, planned_takeover, configuration_changed, faulted_resource, autodisabled, second_attempt,
--     inconsistent_fault, not_recovered, last_step, partition, double_loss
--   configuration: folder group; null where it concerns the study
--   run: run; null where it concerns the configuration
--   text: the doubt in a sentence
--   file_id: file of the line behind it, where there is one
--   line_no: line
with

run_counts as (

    select
        configuration,
        count(*) filter (where used and fault_at is not null) as used_count,
        count(*) filter (where fault_at is not null) as found_count

    from run

    group by configuration

),

few_runs as (

    select
        'warning' as severity,
        'few_runs' as kind,
        configuration,
        null::varchar as run,
        format(
            'Only {} {} of `{}` {} used: {}.',
            used_count,
            case when used_count = 1 then 'run' else 'runs' end,
            configuration,
            case when used_count = 1 then 'is' else 'are' end,
            case when used_count < 3 then 'no confidence interval can be given' else 'the intervals are wide' end
        ) as text,
        null::integer as file_id,
        null::integer as line_no

    from run_counts

    where used_count < 5 and found_count > 0

),

few_measured as (  -- one sentence for all configurations with so many runs

    select
        'warning' as severity,
        'few_runs' as kind,
        case when count(*) = 1 then any_value(configuration) end as configuration,
        null::varchar as run,
        format(
            '`{}` of {} rests on {} {}: {}.',
            metric,
            case
                when count(*) = 1 then '`' || any_value(configuration) || '`'
                else count(*) || ' configurations'
            end,
            runs,
            case when runs = 1 then 'run' else 'runs' end,
            case when runs < 3 then 'no confidence interval can be given' else 'the intervals are wide' end
        ) as text,
        null::integer as file_id,
        null::integer as line_no

    from (
        select configuration, metric, min(runs) as runs

        from measurement_stats

        where metric in ('tps', 'tpm', 'nopm', 'tpmC', 'events_per_hour', 'qps')

        group by configuration, metric
    ) as measured

    where runs < 5

    group by metric, runs

),

disagreements as (

    select
        'warning' as severity,
        'fault_disagreement' as kind,
        configuration,
        case when count(*) = 1 then min(run) else null end as run,
        format(
            'Fault time of {} of `{}`: {} is {:.1f} s {} than {}{}.',
            case when count(*) = 1 then run_text(min(run)) else count(*) || ' runs' end,
            configuration,
            other_source,
            median(abs(difference_s)),
            case when difference_s < 0 then 'earlier' else 'later' end,
            source,
            case when bool_or(is_assumed) then ' (it rests on a timer that no file specifies)' else '' end
        ) as text,
        first(file_id order by run) as file_id,
        first(line_no order by run) as line_no

    from fault_disagreement

    group by configuration, source, other_source, difference_s < 0

),

clock_doubts as (

    select
        'warning' as severity,
        'clock_doubt' as kind,
        source_file.configuration,
        case when count(distinct source_file.run) = 1 then min(source_file.run) end as run,
        format(
            '{}{}: {}{}.',
            min(source_file.path),
            case when count(*) > 1 then ' and ' || (count(*) - 1) || ' more of its configuration' else '' end,
            case sum(doubt.lines) when 1 then '1 line ' else coalesce(sum(doubt.lines) || ' lines ', '') end,
            doubt.text
        ) as text,
        first(doubt.file_id order by source_file.path) as file_id,
        first(doubt.line_no order by source_file.path) as line_no

    from log.clock_doubt as doubt

    inner join source_file
        on doubt.file_id = source_file.file_id

    group by source_file.configuration, doubt.kind, doubt.text

),

rejected as (

    select
        'warning' as severity,
        'rejected_lines' as kind,
        source_file.configuration,
        source_file.run,
        format(
            '{} of {} lines of {} could not be read.',
            source_file.rejected_lines,
            source_file.lines,
            source_file.path
        ) as text,
        source_file.file_id,
        first_rejected.line_no

    from source_file

    left join (
        select file_id, min(line_no) as line_no from rejected_line group by file_id
    ) as first_rejected
        on source_file.file_id = first_rejected.file_id

    where source_file.status = 'parsed' and source_file.rejected_lines > 0.01 * source_file.lines

),

unread as (

    select
        'note' as severity,
        'unread_file' as kind,
        configuration,
        run,
        format('{} was not read ({}): {}', path, status, coalesce(reason, 'no reason given')) as text,
        file_id,
        null as line_no

    from source_file

    where status in ('unrecognised', 'unreadable')

),

writers as (

    select file_id, short_host(host) as host, count(*) as line_count

    from log.syslog_event

    where host is not null

    group by file_id, short_host(host)

),

misplaced as (  -- swapped folders turn the survivor into the lost node

    select
        'warning' as severity,
        'misplaced_file' as kind,
        source_file.configuration,
        source_file.run,
        format(
            '{} is taken for a log of {}, but its lines are by {}.',
            source_file.path,
            source_file.node,
            first(writers.host order by writers.line_count desc, writers.host)
        ) as text,
        source_file.file_id,
        null as line_no

    from source_file

    inner join writers
        on source_file.file_id = writers.file_id

    where source_file.node is not null

    group by source_file.configuration, source_file.run, source_file.path, source_file.node, source_file.file_id

    having not bool_or(lower(writers.host) = lower(short_host(source_file.node)))

),

stated as (  -- what study.toml speaks of, with what the study holds by that name

    select
        format(
            'run {} of {}',
            coalesce(stated_run.run, '(not stated)'),
            coalesce('`' || stated_run.configuration || '`', 'a configuration that it does not state')
        ) as name,
        bool_or(
            same_run(stated_run.run, split_part(run.run, '#', 1)) or run.fault_at = stated_run.fault_at
        ) as is_found

    from study.run as stated_run

    left join run
        on stated_run.configuration = run.configuration

    group by stated_run.configuration, stated_run.run

    union all

    select
        format('the configuration `{}`', names.configuration),
        bool_or(configuration_order.configuration is not null)

    from (
        select configuration from study.configuration
        union
        select reference from study.configuration
        union
        select reference from study.setting
    ) as names

    left join configuration_order
        on names.configuration = configuration_order.configuration

    where names.configuration is not null

    group by names.configuration

    union all

    select format('the node `{}`', node.node), bool_or(source_file.file_id is not null)

    from study.node as node

    left join source_file
        on lower(short_host(node.node)) = lower(short_host(source_file.node))

    group by node.node

),

unknown_names as (

    select
        'warning' as severity,
        'unknown_name' as kind,
        null as configuration,
        null as run,
        format('study.toml speaks of {}, but the study holds none of that name.', name) as text,
        null as file_id,
        null as line_no

    from stated

    where not coalesce(is_found, false)

),

not_used as (

    select
        'warning' as severity,
        case when contains(flags, 'excluded') then 'excluded' else 'not_used' end as kind,
        configuration,
        run,
        format('In `{}`, {} is set aside: {}.', configuration, run_text(run), excluded_reason) as text,
        file_id,
        line_no

    from run

    where not used

),

flagged as (

    select configuration, run, unnest(string_split(flags, ', ')) as flag, file_id, line_no

    from run

    where used and flags <> ''

),

flag_words as (

    select
        'warning' as severity,
        flag as kind,
        configuration,
        run,
        format(
            'In `{}`, {}: {}.',
            configuration,
            run_text(run),
            case flag
                when 'jeopardy' then 'the cluster was in jeopardy (one link left) before the fault'
                when 'ddna' then 'a daemon was down while its node was alive (DDNA)'
                when 'planned_switch' then 'an operator switched a service'
                when 'faulted_resource' then 'a resource faulted or was cleaned during the failover'
                when 'autodisabled' then 'a service group was disabled until probed'
                when 'second_attempt' then 'a resource or a recovery needed a second attempt'
                when 'configuration_changed' then 'the configuration of the database was changed while it lasted'
                when 'planned_takeover' then 'the take-over was planned, and is counted from the notice or command that began it'
                when 'inconsistent_fault' then 'the lines that tell the fault time contradict each other'
            end
        ) as text,
        file_id,
        line_no

    from flagged

    where flag in (
        'jeopardy', 'ddna', 'planned_switch', 'planned_takeover', 'configuration_changed', 'faulted_resource', 'autodisabled',
        'second_attempt', 'inconsistent_fault'
    )

),

failed_operations as (  -- in a failover or outside of one

    select
        'warning' as severity,
        'failed_operation' as kind,
        configuration,
        unit_run as run,
        format(
            'On `{}`, `{}` of `{}` failed at {}{}.',
            coalesce(node, 'a node without a name'),
            action,
            coalesce(object, agent, 'a resource'),
            strftime(coalesce("at", start_at), '%Y-%m-%d %H:%M:%S'),
            coalesce(format(' with return code {}', return_code), '')
        ) as text,
        file_id,
        line_no

    from ha_operation

    where outcome = 'failed'

),

cluster_troubles as (

    select
        'warning' as severity,
        'cluster_trouble' as kind,
        configuration,
        unit_run as run,
        format(
            '{} `{}` at {}{}.',
            case kind
                when 'give_up' then 'The cluster gave up its resources on'
                when 'split_brain' then 'Both nodes were active at once (split brain), as told by'
                when 'fence_failed' then 'Fencing failed on'
            end,
            coalesce(node, 'a node without a name'),
            strftime(min("at"), '%Y-%m-%d %H:%M:%S'),
            case when count(*) > 1 then format(', {} times in all', count(*)) else '' end
        ) as text,
        first(file_id order by "at", file_id, line_no) as file_id,
        first(line_no order by "at", file_id, line_no) as line_no

    from ha_line

    where kind in ('give_up', 'split_brain', 'fence_failed')

    group by configuration, unit_run, node, kind

),

record_gaps as (

    select
        severity,
        'record_gap' as kind,
        configuration,
        run,
        first(text order by line_no)
        || case when count(*) > 1 then format(' {} such places in the file.', count(*)) else '' end as text,
        file_id,
        min(line_no) as line_no

    from db2diag_gap

    group by severity, configuration, run, kind, file_id

),

lost_messages as (

    select
        'warning' as severity,
        'lost_messages' as kind,
        configuration,
        run,
        format(
            'On `{}`, {} lost {} from {} on: what happened then may be missing.',
            coalesce(node, 'a node without a name'),
            coalesce(writer, 'the logging service'),
            coalesce(sum(lost_count)::bigint || ' messages', 'messages'),
            coalesce(strftime(min("at"), '%Y-%m-%d %H:%M:%S'), 'an unknown time')
        ) as text,
        first(file_id order by "at", file_id, line_no) as file_id,
        first(line_no order by "at", file_id, line_no) as line_no

    from log_gap

    group by configuration, run, node, writer

),

assumed_zones as (

    select
        'note' as severity,
        'assumed_timezone' as kind,
        configuration,
        null as run,
        format(
            '{} of `{}` state no time zone: durations hold, absolute times are wall clock.',
            case when count(*) = 1 then '1 file' else count(*) || ' files' end,
            configuration
        ) as text,
        min(file_id) as file_id,
        null as line_no

    from source_file

    where timezone_source = 'assumed' and status = 'parsed' and first_at is not null

    group by configuration

),

no_reference as (

    select
        'note' as severity,
        'no_reference' as kind,
        null as configuration,
        null as run,
        'No configuration is the reference, so no ratio is given; set `reference` under [study] in study.toml.' as text,
        null as file_id,
        null as line_no

    from configuration_order

    where  -- networks and disks that are planned with are no variants of one thing
        configuration not in (select simhadr_run.configuration from simhadr_run)
        and configuration not in (select disk_test.configuration from disk_test)

    having count(*) > 1 and count(reference) = 0

),

reversed as (

    select
        'note' as severity,
        'phase_order' as kind,
        ends.configuration,
        ends.run,
        format(
            'In `{}`, {} shows `{}` before the steps it is said to follow; the phase `{}` is left out.',
            ends.configuration,
            run_text(ends.run),
            ends.milestone,
            phase_rule.phase
        ) as text,
        ends.file_id,
        ends.line_no

    from milestone as ends

    inner join study.phase_rule as phase_rule
        on ends.milestone = phase_rule.to_milestone

    left join phase
        on ends.configuration = phase.configuration and ends.run = phase.run and phase_rule.phase = phase.phase

    where
        phase.phase is null
        and exists (
            select 1

            from milestone as starts

            where
                starts.configuration = ends.configuration
                and starts.run = ends.run
                and list_contains(string_split(replace(phase_rule.from_terms, '|', ','), ','), starts.milestone)
        )

),

lost_loads as (  -- what the load did around the fault is told by its series

    select distinct configuration, run, source from client_measurement where source <> 'client_probe'

),

measurement_doubts as (

    select
        case when measurement.is_valid then 'note' else 'warning' end as severity,
        case when measurement.is_valid then 'doubtful_measurement' else 'invalid_measurement' end as kind,
        measurement.configuration,
        measurement.run,
        format(
            'Figures of {} in {} of `{}`{}: {}.',
            source_file.path,
            run_text(measurement.run),
            measurement.configuration,
            case when measurement.is_valid then '' else ' are left out of all statistics' end,
            measurement.doubt
        ) as text,
        measurement.file_id,
        min(measurement.line_no) as line_no

    from measurement

    inner join source_file
        on measurement.file_id = source_file.file_id

    left join lost_loads
        on
            not measurement.is_valid
            and measurement.configuration = lost_loads.configuration
            and measurement.run = lost_loads.run
            and measurement.source = lost_loads.source

    where
        measurement.doubt is not null
        and (not measurement.is_valid or measurement.source not in ('simhadr', 'simhadr_disk'))
        and lost_loads.configuration is null

    group by
        measurement.is_valid, measurement.configuration, measurement.run, measurement.doubt, measurement.file_id,
        source_file.path

    union all

    select
        'note',
        'invalid_measurement',
        measurement.configuration,
        null,
        format(
            'Summaries of {} in {} of `{}` are left out of all statistics: the load was lost in the fault; what it did before and after '
            || 'is told by its series.',
            measurement.source,
            case count(distinct measurement.run) when 1 then '1 run' else count(distinct measurement.run) || ' runs' end,
            measurement.configuration
        ),
        min(measurement.file_id),
        null

    from measurement

    inner join lost_loads
        on
            measurement.configuration = lost_loads.configuration
            and measurement.run = lost_loads.run
            and measurement.source = lost_loads.source

    where not measurement.is_valid

    group by measurement.configuration, measurement.source

),

hadr_doubts as (  -- what holds for many runs of the HADR simulator is said once

    select
        severity,
        'hadr_planning' as kind,
        configuration,
        null as run,
        format(
            '{} of {} {} of the HADR simulator in `{}`: {}.',
            runs,
            of_runs,
            case when warning = 'run_once' then 'settings' else 'runs' end,
            configuration,
            text
        ) as text,
        file_id,
        line_no

    from hadr_warning

),

shared_runs as (

    select configuration, run, source, metric, label, clients, count(distinct file_id) as file_count, min(file_id) as file_id

    from measurement

    where is_valid

    group by configuration, run, source, metric, label, clients

    having count(distinct file_id) > 1

),

not_comparable as (

    select
        'note' as severity,
        'not_comparable' as kind,
        here.configuration,
        null as run,
        format(
            '`{}` of `{}` and of its reference `{}` were measured under different loads, units or labels, so no ratio is given.',
            here.metric,
            here.configuration,
            there.configuration
        ) as text,
        null as file_id,
        null as line_no

    from measurement_stats as here

    inner join configuration_order
        on here.configuration = configuration_order.configuration and configuration_order.reference <> here.configuration

    inner join measurement_stats as there
        on configuration_order.reference = there.configuration and here.metric = there.metric

    where here.unit is distinct from 'count'

    group by here.configuration, there.configuration, here.metric

    having not bool_or(
        here.unit is not distinct from there.unit
        and here.label is not distinct from there.label
        and here.clients is not distinct from there.clients
    )

),

contradictions as (

    select
        'warning' as severity,
        'label_contradiction' as kind,
        configuration,
        null as run,
        format('`{}` is said to have {} = {:g}, but its files state {}.', configuration, factor, stated, found) as text,
        file_id,
        line_no

    from label_contradiction

),

averaged_files as (

    select
        'note' as severity,
        'averaged_files' as kind,
        configuration,
        run,
        format(
            '{} files state figures of {} of `{}`, which are averaged; for runs of their own they need run folders or names that end in run1, run2, ...',
            max(file_count),
            run_text(run),
            configuration
        ) as text,
        min(file_id) as file_id,
        null as line_no

    from shared_runs

    group by configuration, run

),

findings as (

    select * from few_runs
    union all
    select * from few_measured
    union all
    select * from disagreements
    union all
    select * from clock_step_finding
    union all
    select * from clock_doubts
    union all
    select * from rejected
    union all
    select * from unread
    union all
    select * from misplaced
    union all
    select * from unknown_names
    union all
    select * from not_used
    union all
    select * from flag_words
    union all
    select * from record_gaps
    union all
    select * from lost_messages
    union all
    select * from failed_operations
    union all
    select * from cluster_troubles
    union all
    select * from fault_timer_finding
    union all
    select * from assumed_zones
    union all
    select * from no_reference
    union all
    select * from reversed
    union all
    select * from measurement_doubts
    union all
    select * from hadr_doubts
    union all
    select * from contradictions
    union all
    select * from averaged_files
    union all
    select * from not_comparable
    union all
    select * from outcome_finding
    union all
    select * from partition_finding
    union all
    select * from noise_finding
    union all
    select * from design_finding

)

select * from findings

order by severity desc, kind, configuration, run, file_id, line_no, text
