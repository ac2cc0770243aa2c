-- One row per message that moves a take-over on, in the order of time; what several daemons say in one second is here
-- once.
with

messages as (

    select
        events.*

    from main.ha_event as events

    where
        events.kind in (
            'shutdown_notice', 'standby_wanted', 'peer_dead', 'peer_gave_up', 'token_lost', 'membership', 'member_lost',
            'member_joined', 'quorum_lost', 'quorum_acquired', 'ping_ack_missing', 'vrrp_backup', 'vrrp_fault',
            'split_brain', 'fence_start', 'fence_done', 'fence_failed', 'takeover_start', 'group_acquire', 'takeover_done',
            'initial_acquisition', 'cluster_started', 'resource_start', 'resource_done', 'resource_failed', 'address_added',
            'give_up', 'release_start', 'release_done', 'drbd_role', 'drbd_connection', 'drbd_quorum', 'resync_start',
            'resync_done', 'verify_done', 'fence_helper_start', 'fence_helper_done', 'state_change_refused', 'db_start',
            'db_recovery_needed', 'db_recovery_start', 'db_redo_done', 'db_recovery_done', 'db_ready', 'db_promoted',
            'db_shutdown', 'leader'
        )
        and events.action is distinct from 'monitor'

    qualify row_number() over (
        partition by
            events.configuration,
            events.run,
            events.node,
            events.kind,
            events.peer,
            events.object,
            events.action,
            events.new_state,
            date_trunc('second', events."at"),
            case when events."at" is null then events.line_no end
        order by events.file_id, events.line_no, events.part
    ) = 1

)

select
    messages.configuration,
    messages.run,
    messages.node,
    messages."at",
    date_diff('microsecond', runs.fault_at, messages."at") / 1e6 as elapsed_s,
    messages.uptime_s,
    messages.text,
    files.path,
    messages.line_no

from messages

inner join main.source_file as files using (file_id)

left join main.run as runs
    on messages.configuration = runs.configuration
    and messages.run = runs.run

left join main.configuration_order as configurations
    on messages.configuration = configurations.configuration

-- a line that reports several changes is one message
qualify row_number() over (partition by messages.file_id, messages.line_no order by messages.kind) = 1

order by
    configurations.position,
    messages.configuration,
    runs.run_no nulls last,
    messages.run,
    messages."at" nulls last,
    messages.file_id,
    messages.line_no
