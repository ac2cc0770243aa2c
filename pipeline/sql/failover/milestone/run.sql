-- One row per run: each incident, and each run folder or undivided folder group without one. Times in UTC.
-- A run is left out of statistics (used is false) by study.toml, as a further incident of its folder, or because no failover was found in
-- logs that could show one (`missing_incident` says why), unless the run was measured and its whole configuration shows none; because
-- after a partition two nodes served or nobody can say which did; and where a clock was set during the failover by an amount that nothing
-- shows. The other flags are doubts: they are reported, and the run stays in use.
-- materialised: read by every statistic
-- rows by: configuration
-- from: fault_time by configuration, run
-- columns:
--   run: run as found, e.g. run03; for groups without run folders 1, 2, ... by time
--   run_no: number of the run; its place by name where the name holds no single number
--   fault_at: fault time: as recorded, else the middle of the interval that all evidence leaves; null without an incident
--   fault_at_low: earliest time of the fault
--   fault_at_high: latest time of the fault
--   fault_source: manifest, inactive series, in trouble, expired, membership, had membership, shutdown notice, dead time,
--     token loss, token timeout, hadr connection, take-over command, marker line, client questions, last words: the most trusted of `fault_time`
--   fault_common_error_s: half width of the part of the interval that may be the same in all runs of the configuration, seconds; 0 for a recorded time
--   fault_common_cause: what that error is: equal where two configurations have the same; null where there is none
--   true_fault_at: time from study.toml, else of the injected fault (`injected_fault`), that is only compared with the inferred one
--   lost_node: node that was lost; of several the one that had the service; null where a partition leaves it open
--   surviving_node: node on which the service came up; null where a partition leaves it open
--   used: counts in statistics
--   excluded_reason: why it does not
--   flags: doubts and states, separated by `, `: assumed_timer, autodisabled, clock_step, configuration_changed, ddna, double_loss, excluded,
--     extra_incident, fault_disagreement, faulted_resource, inconsistent_fault, inferred_timer, jeopardy, no_incident, partition,
--     planned_switch, planned_takeover, second_attempt, split_brain, undecided_partition
--   membership_at: membership change on the surviving node
--   end_at: end of the incident
--   file_id: file of the first evidence of the node loss
with

best as (  -- a recorded time, else what all evidence leaves

    select
        coalesce(recorded.configuration, fault_time.configuration) as configuration,
        coalesce(recorded.run, fault_time.run) as run,
        coalesce(recorded.source, fault_time.source) as source,
        coalesce(recorded.low_at, fault_time.low_at) as low_at,
        coalesce(recorded.middle_at, fault_time.middle_at) as middle_at,
        coalesce(recorded.high_at, fault_time.high_at) as high_at,
        coalesce(recorded.is_assumed, fault_time.is_assumed) as is_assumed,
        coalesce(recorded.is_inferred, fault_time.is_inferred) as is_inferred,
        coalesce(recorded.is_consistent, fault_time.is_consistent) as is_consistent,
        coalesce(recorded.common_error_s, fault_time.common_error_s) as common_error_s,
        case when recorded.source is null then fault_time.common_cause else recorded.common_cause end as common_cause

    from fault_time

    full outer join (select * from fault_estimate where source = 'manifest') as recorded
        on fault_time.configuration = recorded.configuration and fault_time.run = recorded.run

),

disagreements as (

    select distinct configuration, run from fault_disagreement

),

near as (  -- cluster lines before and during a failover that cast doubt on it; a later switch back does not

    select
        incident.configuration,
        incident.run,
        bool_or(
            cluster_line.kind = 'jeopardy' and cluster_line."at" < incident.membership_at
        ) as has_jeopardy,
        bool_or(cluster_line.kind = 'ddna' and cluster_line.node_key is distinct from incident.lost_key) as has_ddna,
        bool_or(
            cluster_line.kind in ('group_switch', 'user_command') and cluster_line."at" >= incident.search_start_at
        ) as has_switch,
        bool_or(
            (
                cluster_line.kind in ('resource_faulted', 'clean_called', 'unexpected_offline', 'give_up')
                or (cluster_line.kind = 'operation_done' and cluster_line.state = 'failed')
            )
            and cluster_line."at" >= incident.membership_at
            and cluster_line.node_key is distinct from incident.lost_key
            and cluster_line.system_key is distinct from incident.lost_key
        ) as has_fault,
        bool_or(
            cluster_line.kind = 'group_autodisabled'
            and cluster_line.system_key is not distinct from incident.surviving_key
        ) as is_autodisabled

    from (
        select *, unnest(hours_between(membership_at - interval 10 minute, end_at)) as hour from incident
    ) as incident

    inner join cluster_line
        on
            incident.configuration = cluster_line.configuration
            and incident.unit_run is not distinct from cluster_line.unit_run
            and time_bucket(interval 1 hour, cluster_line."at") = incident.hour
            and cluster_line."at" >= incident.membership_at - interval 10 minute
            and cluster_line."at" < incident.end_at

    inner join incident_instant
        on incident.configuration = incident_instant.configuration and incident.run = incident_instant.run

    where cluster_line."at" <= incident_instant.service_end_at

    group by incident.configuration, incident.run

),

starts as (  -- a copy of a line in another file is no second attempt

    select incident.configuration, incident.run, count(distinct cluster_line."at") as attempt_count

    from incident

    inner join service_window using (configuration, run)

    inner join cluster_line
        on
            incident.configuration = cluster_line.configuration
            and incident.unit_run is not distinct from cluster_line.unit_run
            and cluster_line.kind = 'initiate_online'
            and cluster_line.system_key is not distinct from incident.surviving_key
            and cluster_line."group" is not distinct from service_window."group"
            and cluster_line."at" between incident.membership_at and service_window.service_end_at

    group by incident.configuration, incident.run, cluster_line.resource, cluster_line.file_id

),

recoveries as (  -- crash recovery needed again before it was done

    select incident.configuration, incident.run, count(*) as attempt_count

    from incident

    inner join cluster_line
        on
            incident.configuration = cluster_line.configuration
            and incident.unit_run is not distinct from cluster_line.unit_run
            and cluster_line.kind = 'crash_recovery_needed'
            and cluster_line.node_key is distinct from incident.lost_key
            and cluster_line."at" >= incident.membership_at
            and cluster_line."at" < incident.end_at

    where not exists (
        select 1

        from cluster_line as done

        where
            done.kind in ('crash_recovery_done', 'recovery_ok')
            and done.configuration = cluster_line.configuration
            and done.file_id = cluster_line.file_id
            and done.instance is not distinct from cluster_line.instance
            and done."at" >= incident.membership_at
            and done."at" < cluster_line."at"
    )

    group by incident.configuration, incident.run, cluster_line.file_id, cluster_line.instance, cluster_line.database

),

attempts as (

    select configuration, run, max(attempt_count) as attempt_count

    from (select * from starts union all select * from recoveries)

    group by configuration, run

),

configuration_changes as (  -- by a person, while the run lasted

    select distinct incident.configuration, incident.run

    from incident

    inner join source_file
        on
            incident.configuration = source_file.configuration
            and (source_file.run is null or source_file.run is not distinct from incident.unit_run)

    inner join log.config_change as config_change
        on
            source_file.file_id = config_change.file_id
            and not coalesce(config_change.is_self_tuned, false)
            and config_change."at" >= incident.search_start_at
            and config_change."at" < incident.end_at

),

clock_steps as (

    select
        configuration,
        run,
        bool_or(is_inside and not is_corrected and source <> 'stamps go back') as is_unmeasured,
        count(*) filter (where is_inside and not is_corrected and source = 'stamps go back') as fall_count

    from clock_step

    where run is not null

    group by configuration, run

),

unproved_steps as (  -- a log of which many lines go back is in disorder; that is no clock

    select configuration, run from clock_steps where is_unmeasured or fall_count between 1 and 2

    union

    -- of a line that either clock may have stamped
    select candidate.configuration, candidate.run

    from milestone_candidate as candidate

    inner join log.clock_correction as correction
        on
            candidate.file_id = correction.file_id
            and candidate.line_no between correction.from_line and correction.to_line
            and correction.error_s > 1

),

unit_jeopardy as (

    select
        configuration,
        unit_run,
        bool_or(kind = 'jeopardy') as has_jeopardy,
        bool_or(kind = 'ddna') as has_ddna,
        bool_or(kind in ('group_switch', 'user_command')) as has_switch

    from cluster_line

    group by configuration, unit_run

),

found as (  -- a flag that is null is not set

    select
        incident.configuration,
        incident.run,
        incident.run_no,
        best.* exclude (configuration, run),
        near.* exclude (configuration, run),
        coalesce(incident.partition_outcome in ('split_brain', 'undecided'), false) as is_undecided,
        case when not is_undecided then incident.lost_node end as lost_node,
        case when not is_undecided then incident.surviving_node end as surviving_node,
        incident.membership_at,
        incident.end_at,
        incident.file_id,
        incident.line_no,
        incident.is_extra,
        incident.is_planned,
        case incident.partition_outcome
            when 'split_brain' then 'split brain: the nodes declared each other lost, and ' || network_partition.doubt
            when 'undecided' then 'the nodes declared each other lost, and ' || network_partition.doubt
        end as missing_reason,
        incident.partition_outcome is not null as is_partition,
        double_loss.run is not null as is_double_loss,
        incident.partition_outcome = 'split_brain' as is_split_brain,
        attempts.attempt_count > 1 as has_second_attempt,
        clock_steps.run is not null as has_clock_step,
        configuration_changes.run is not null as has_changed_configuration,
        disagreements.run is not null as has_disagreement

    from incident

    left join best using (configuration, run)

    left join near using (configuration, run)

    left join attempts using (configuration, run)

    left join clock_steps using (configuration, run)

    left join disagreements using (configuration, run)

    left join configuration_changes using (configuration, run)

    left join double_loss using (configuration, run)

    left join network_partition
        on
            incident.configuration = network_partition.configuration
            and incident.unit_run is not distinct from network_partition.unit_run
            and incident.event_no = network_partition.event_no

    union all by name

    select
        missing_incident.configuration,
        coalesce(missing_incident.unit_run, '1') as run,
        case
            when missing_incident.unit_run is null then 1
            else try_cast(regexp_extract(missing_incident.unit_run, '^\D*(\d{1,9})\D*$', 1) as integer)
        end as run_no,
        missing_incident.file_id,
        missing_incident.line_no,
        true as has_no_incident,
        missing_incident.reason as missing_reason,
        missing_incident.is_partition,
        missing_incident.is_double_loss,
        unit_jeopardy.* exclude (configuration, unit_run),
        clock_steps.run is not null as has_clock_step

    from missing_incident

    left join unit_jeopardy
        on
            missing_incident.configuration = unit_jeopardy.configuration
            and missing_incident.unit_run is not distinct from unit_jeopardy.unit_run

    left join clock_steps
        on missing_incident.configuration = clock_steps.configuration and missing_incident.unit_run = clock_steps.run

),

recorded as (

    select
        found.configuration,
        found.run,
        max(recorded_run.true_fault_at) as true_fault_at,
        max(nullif(recorded_run.exclude, '')) as exclude

    from found

    inner join study.run as recorded_run
        on found.configuration = recorded_run.configuration and same_run(recorded_run.run, found.run)

    group by found.configuration, found.run

),

injected as (  -- the fault that a test injected last before the membership changed, where it says within 2 s when

    select
        incident.configuration,
        incident.run,
        max_by(
            injected_fault.asked_at
            + to_microseconds((epoch_us(injected_fault.done_at) - epoch_us(injected_fault.asked_at)) // 2),
            injected_fault.fault_no
        ) as injected_at

    from incident

    inner join injected_fault
        on
            incident.configuration = injected_fault.configuration
            and coalesce(incident.unit_run, incident.run) = injected_fault.run
            and injected_fault.asked_at between incident.search_start_at and incident.membership_at

    where not incident.is_planned and not incident.is_commanded and injected_fault.done_at <= injected_fault.asked_at + interval 2 second

    group by incident.configuration, incident.run

)

select
    found.configuration,
    found.run,
    coalesce(
        found.run_no,
        dense_rank() over (partition by found.configuration order by natural_order(split_part(found.run, '#', 1)))
    )::integer as run_no,
    found.middle_at as fault_at,
    found.low_at as fault_at_low,
    found.high_at as fault_at_high,
    found.source as fault_source,
    found.common_error_s as fault_common_error_s,
    found.common_cause as fault_common_cause,
    coalesce(recorded.true_fault_at, injected.injected_at) as true_fault_at,
    found.lost_node,
    found.surviving_node,
    recorded.exclude is null and found.is_extra is not true and found.missing_reason is null and unproved_steps.run is null as used,
    coalesce(
        recorded.exclude,
        case when found.is_extra then 'further incident in the folder of a run' end,
        found.missing_reason,
        case
            when unproved_steps.run is not null
                then 'the clock of a node was set during the failover, and what its times are is not proved'
        end
    ) as excluded_reason,
    concat_ws(
        ', ',
        case when found.is_assumed then 'assumed_timer' end,
        case when found.is_autodisabled then 'autodisabled' end,
        case when found.has_clock_step then 'clock_step' end,
        case when found.has_changed_configuration then 'configuration_changed' end,
        case when found.has_ddna then 'ddna' end,
        case when found.is_double_loss then 'double_loss' end,
        case when recorded.exclude is not null then 'excluded' end,
        case when found.is_extra then 'extra_incident' end,
        case when found.has_disagreement then 'fault_disagreement' end,
        case when found.has_fault then 'faulted_resource' end,
        case when not found.is_consistent then 'inconsistent_fault' end,
        case when found.is_inferred then 'inferred_timer' end,
        case when found.has_jeopardy then 'jeopardy' end,
        case when found.has_no_incident then 'no_incident' end,
        case when found.is_partition then 'partition' end,
        case when found.has_switch then 'planned_switch' end,
        case when found.is_planned then 'planned_takeover' end,
        case when found.has_second_attempt then 'second_attempt' end,
        case when found.is_split_brain then 'split_brain' end,
        case when found.is_undecided then 'undecided_partition' end
    ) as flags,
    found.membership_at,
    found.end_at,
    found.file_id,
    found.line_no

from found

left join recorded using (configuration, run)

left join injected using (configuration, run)

left join unproved_steps using (configuration, run)

order by found.configuration, run_no, found.run
