-- One row per run and line of a node that is left which says how long it has not seen corosync's token, at the loss that ended in the fault.
-- `A processor failed` comes a token timeout after the token was last seen; `Token has not been received in N ms` N ms after it.
-- libqb takes stamps from a clock that ticks a hundred times a second.
-- materialised: small, and read by the fault times and the clocks of hosts
-- rows by: configuration
-- empty without rows of: incident
-- empty without rows of: cluster_line where source = 'ha' and kind = 'token_lost'
-- columns:
--   silent_low_s: seconds since the token was last seen, at least
--   silent_high_s: at most
--   hold_s: time for which a node may keep the token
--   is_kept_by_others: in a ring of more than two nodes another may have kept it before
--   is_assumed: the silence is a timer that neither a file nor a line shows
--   is_inferred: it is a timer that other lines of the configuration show
--   low_at: the token was last seen no earlier
--   high_at: no later
with

losses as (  -- the last before the membership without the node

    select
        incident.configuration,
        incident.run,
        incident.unit_run,
        cluster_line.node,
        cluster_line.node_key,
        cluster_line."at",
        coalesce(cluster_line.silent_s, cluster_timer.token_low_s) as silent_low_s,
        coalesce(cluster_line.silent_s, cluster_timer.token_high_s) as silent_high_s,
        cluster_timer.hold_s,
        coalesce(cluster_timer.ring_nodes, 3) > 2 as is_kept_by_others,
        cluster_timer.is_token_assumed and cluster_line.silent_s is null as is_assumed,
        cluster_timer.is_token_inferred and cluster_line.silent_s is null as is_inferred,
        greatest(cluster_line.resolution_s, 0.01) as resolution_s,
        cluster_line.file_id,
        cluster_line.line_no

    from incident

    inner join cluster_timer
        on
            incident.configuration = cluster_timer.configuration
            and incident.unit_run is not distinct from cluster_timer.unit_run

    inner join cluster_line
        on
            incident.configuration = cluster_line.configuration
            and incident.unit_run is not distinct from cluster_line.unit_run
            and cluster_line.source = 'ha'
            and cluster_line.kind = 'token_lost'
            and cluster_line.node_key is distinct from incident.lost_key
            and cluster_line."at" between incident.search_start_at and incident.membership_at

    where not incident.is_planned

    qualify row_number() over (
        partition by incident.configuration, incident.run, coalesce(cluster_line.node_key, cluster_line.file_id::varchar)
        order by cluster_line."at" desc, cluster_line.line_no desc
    ) = 1

),

warnings as (  -- of the same silence

    select
        losses.* exclude ("at", silent_low_s, silent_high_s, is_assumed, is_inferred, resolution_s, file_id, line_no),
        ha_line."at",
        ha_line.value / 1000 as silent_low_s,
        ha_line.value / 1000 as silent_high_s,
        false as is_assumed,
        false as is_inferred,
        greatest(ha_line.resolution_s, 0.01) as resolution_s,
        ha_line.file_id,
        ha_line.line_no

    from losses

    inner join ha_line
        on
            losses.configuration = ha_line.configuration
            and losses.unit_run is not distinct from ha_line.unit_run
            and losses.node_key is not distinct from ha_line.node_key
            and ha_line.kind = 'token_late'
            and ha_line.value is not null
            and abs(
                (epoch_us(losses."at") - epoch_us(ha_line."at")) / 1000000 - (losses.silent_high_s - ha_line.value / 1000)
            ) <= losses.silent_high_s - losses.silent_low_s + losses.resolution_s

    qualify row_number() over (
        partition by losses.configuration, losses.run, losses.node_key order by ha_line."at" desc, ha_line.line_no desc
    ) = 1

),

lines as (

    select * from losses
    union all by name
    select * from warnings

)

select
    configuration,
    run,
    unit_run,
    node,
    node_key,
    "at",
    silent_low_s,
    silent_high_s,
    hold_s,
    is_kept_by_others,
    is_assumed,
    is_inferred,
    "at" - to_microseconds((1000000 * (silent_high_s + 0.01 + case when is_kept_by_others then hold_s else 0 end))::bigint)
        as low_at,
    "at" - to_microseconds((1000000 * (silent_low_s - resolution_s))::bigint) as high_at,
    file_id,
    line_no

from lines

order by configuration, run, "at", file_id, line_no
