-- One row per unit (run folder, or folder group without run folders): the timers of node loss in force, seconds.
-- A timer comes from llttab, gabtab, ha.cf and corosync.conf (`specified_timer`), else from what the logs of the configuration's own runs
-- show (`inferred_timer`), else it is anywhere in the range that clusters are run with (peerinact 2 to 32 s, peertrouble 1 to 4 s,
-- stable timeout 1 to 10 s, deadtime 5 to 60 s, token 1 to 10 s): the products' defaults are only the likeliest values. Corosync's default consensus
-- is 1.2 times the token; with more than two nodes listed each further one adds token_coefficient to the token (since 2.3.4). A corosync.conf
-- without a token means the default of the version that the logs print: 1 s, since 3.1.0 3 s (totemconfig.c). While a cluster is
-- idle its first node holds the token for hold_s (totem_config.c: 0.8 times token_retransmit, less 10 ms).
-- materialised: small, and read by every step of the failover analysis
-- rows by: configuration
-- columns:
--   peerinact_s: silence after which LLT gives a peer up
--   peertrouble_s: silence after which LLT reports trouble
--   heartbeat_s: interval of heartbeats
--   stable_s: GAB stable timeout
--   deadtime_s: silence after which Heartbeat declares a peer dead
--   keepalive_s: interval of Heartbeat's own heartbeats
--   token_s: time without a token after which corosync declares it lost
--   hold_s: time for which a node of an idle ring may keep the token
--   hadr_timeout_s: silence after which HADR gives a connection up; DB2's default is 120 s
--   is_hadr_timeout_assumed: no database configuration specifies it
--   ring_nodes: nodes that corosync.conf lists; null where it lists none
--   consensus_s: time corosync waits for the others to agree
--   peerinact_low_s: peerinact is no shorter; as peerinact_s where a file specifies it
--   peerinact_high_s: and no longer
--   peertrouble_low_s: peertrouble is no shorter
--   peertrouble_high_s: and no longer
--   membership_low_s: peerinact and the stable timeout together are no shorter
--   membership_high_s: and no longer
--   deadtime_low_s: deadtime is no shorter
--   deadtime_high_s: and no longer
--   token_low_s: the token timeout is no shorter
--   token_high_s: and no longer
--   consensus_low_s: consensus is no shorter
--   consensus_high_s: and no longer
--   is_peerinact_assumed: no llttab specifies it, and no line shows it
--   is_peertrouble_assumed: no llttab specifies it, and no line shows it
--   is_stable_assumed: no gabtab specifies it, and no line shows it
--   is_membership_assumed: peerinact or the stable timeout is assumed, and no line shows the two together
--   is_deadtime_assumed: no ha.cf specifies it
--   is_token_assumed: neither corosync.conf nor the default of its version says it, and no line shows it
--   is_peerinact_inferred: no llttab specifies it; lines of the configuration show it
--   is_peertrouble_inferred: the same of peertrouble
--   is_stable_inferred: no gabtab specifies it; lines of the configuration show it
--   is_membership_inferred: peerinact or the stable timeout is inferred, or lines show the two together
--   is_token_inferred: no corosync.conf specifies it; lines of the configuration show it, or the version whose default it is
with

rings as (

    select
        run_unit.configuration,
        run_unit.unit_run,
        applicable_file.file_id,
        count(*) as ring_nodes

    from run_unit

    inner join applicable_file
        on
            run_unit.configuration = applicable_file.configuration
            and (applicable_file.run is null or applicable_file.run is not distinct from run_unit.unit_run)

    inner join log.parameter_value as parameter_value
        on
            applicable_file.file_id = parameter_value.file_id
            and parameter_value.scope = 'corosync.conf'
            and regexp_matches(parameter_value.name, '^nodelist\.node(\[\d+\])?\.ring0_addr$')

    group by
        run_unit.configuration, run_unit.unit_run, applicable_file.file_id, applicable_file.run, applicable_file.distance

    qualify row_number() over (
        partition by run_unit.configuration, run_unit.unit_run
        order by applicable_file.run is null, applicable_file.distance, applicable_file.file_id
    ) = 1

),

versions as (  -- of corosync, as a number: 2.3.4 is 20304

    select
        configuration,
        max(
            10000 * regexp_extract(new_state, '^(\d{1,3})\.(\d{1,3})(?:\.(\d{1,3}))?', 1)::integer
            + 100 * regexp_extract(new_state, '^(\d{1,3})\.(\d{1,3})(?:\.(\d{1,3}))?', 2)::integer
            + coalesce(try_cast(regexp_extract(new_state, '^(\d{1,3})\.(\d{1,3})(?:\.(\d{1,3}))?', 3) as integer), 0)
        ) as version_no

    from ha_line

    where stack = 'corosync' and kind = 'cluster_started' and regexp_matches(new_state, '^\d{1,3}\.\d{1,3}')

    group by configuration

),

configured as (  -- units whose corosync.conf is there

    select distinct run_unit.configuration, run_unit.unit_run

    from run_unit

    inner join applicable_file
        on
            run_unit.configuration = applicable_file.configuration
            and (applicable_file.run is null or applicable_file.run is not distinct from run_unit.unit_run)

    inner join log.parameter_value as parameter_value
        on applicable_file.file_id = parameter_value.file_id and parameter_value.scope = 'corosync.conf'

),

per_unit as (

    select
        run_unit.configuration,
        run_unit.unit_run,
        max(specified.seconds) filter (where specified.timer = 'peerinact') as peerinact_s,
        max(specified.seconds) filter (where specified.timer = 'peertrouble') as peertrouble_s,
        max(specified.seconds) filter (where specified.timer = 'heartbeat') as heartbeat_s,
        max(specified.seconds) filter (where specified.timer = 'stable') as stable_s,
        max(specified.seconds) filter (where specified.timer = 'deadtime') as deadtime_s,
        max(specified.seconds) filter (where specified.timer = 'keepalive') as keepalive_s,
        max(specified.seconds) filter (where specified.timer = 'token')
        + case
            when max(versions.version_no) < 20304 then 0
            else greatest(coalesce(max(rings.ring_nodes), 2) - 2, 0)
                * coalesce(max(specified.seconds) filter (where specified.timer = 'token_coefficient'), 0.65)
        end as token_s,
        case
            when max(versions.version_no) >= 30100 then 3.0
            when max(versions.version_no) > 0 then 1.0
        end
        + case
            when max(versions.version_no) < 20304 then 0
            else greatest(coalesce(max(rings.ring_nodes), 2) - 2, 0)
                * coalesce(max(specified.seconds) filter (where specified.timer = 'token_coefficient'), 0.65)
        end as usual_token_s,
        max(configured.configuration) is not null as is_configured,
        max(specified.seconds) filter (where specified.timer = 'consensus') as consensus_s,
        max(specified.seconds) filter (where specified.timer = 'hold') as hold_s,
        max(specified.seconds) filter (where specified.timer = 'token_retransmit') as retransmit_s,
        max(specified.seconds) filter (where specified.timer = 'token_retransmits_before_loss_const') as retransmits,
        max(specified.seconds) filter (where specified.timer = 'hadr_timeout') as hadr_timeout_s,
        max(rings.ring_nodes) as ring_nodes

    from run_unit

    left join specified_timer as specified
        on
            run_unit.configuration = specified.configuration
            and run_unit.unit_run is not distinct from specified.unit_run

    left join rings
        on
            run_unit.configuration = rings.configuration
            and run_unit.unit_run is not distinct from rings.unit_run

    left join versions
        on run_unit.configuration = versions.configuration

    left join configured
        on
            run_unit.configuration = configured.configuration
            and run_unit.unit_run is not distinct from configured.unit_run

    group by run_unit.configuration, run_unit.unit_run

),

shown as (  -- what the lines of a configuration show

    select
        configuration,
        max(low_s) filter (where timer = 'peerinact') as peerinact_low_s,
        max(high_s) filter (where timer = 'peerinact') as peerinact_high_s,
        max(low_s) filter (where timer = 'peertrouble') as peertrouble_low_s,
        max(high_s) filter (where timer = 'peertrouble') as peertrouble_high_s,
        max(low_s) filter (where timer = 'stable') as stable_low_s,
        max(high_s) filter (where timer = 'stable') as stable_high_s,
        max(low_s) filter (where timer = 'membership') as membership_low_s,
        max(high_s) filter (where timer = 'membership') as membership_high_s,
        max(low_s) filter (where timer = 'token') as token_low_s,
        max(high_s) filter (where timer = 'token') as token_high_s,
        max(high_s) filter (where timer = 'deadtime') as deadtime_high_s

    from inferred_timer

    group by configuration

),

ranges as (

    select
        per_unit.* exclude (configuration, unit_run),
        per_unit.configuration,
        per_unit.unit_run,
        coalesce(per_unit.stable_s, shown.stable_low_s, 1) as stable_low_s,
        coalesce(per_unit.stable_s, shown.stable_high_s, 10) as stable_high_s,
        per_unit.stable_s is null and shown.stable_high_s is null as is_stable_assumed,
        per_unit.stable_s is null and shown.stable_high_s is not null as is_stable_inferred,
        shown.membership_low_s as shown_membership_low_s,
        shown.membership_high_s as shown_membership_high_s,
        -- a link that expires is one way to peerinact; the membership without the stable timeout another
        greatest(
            shown.peerinact_low_s,
            case when per_unit.stable_s is not null then shown.membership_low_s - per_unit.stable_s end
        ) as shown_peerinact_low_s,
        least(
            shown.peerinact_high_s,
            case when per_unit.stable_s is not null then shown.membership_high_s - per_unit.stable_s end
        ) as shown_peerinact_high_s,
        coalesce(per_unit.peertrouble_s, shown.peertrouble_low_s, 1) as peertrouble_low_s,
        coalesce(per_unit.peertrouble_s, shown.peertrouble_high_s, 4) as peertrouble_high_s,
        per_unit.peertrouble_s is null and shown.peertrouble_high_s is null as is_peertrouble_assumed,
        per_unit.peertrouble_s is null and shown.peertrouble_high_s is not null as is_peertrouble_inferred,
        coalesce(per_unit.deadtime_s, 5) as deadtime_low_s,
        coalesce(per_unit.deadtime_s, greatest(least(60, shown.deadtime_high_s), 5), 60) as deadtime_high_s,
        case when per_unit.is_configured then per_unit.usual_token_s end as default_token_s,
        coalesce(per_unit.token_s, shown.token_low_s, default_token_s, 1) as token_low_s,
        coalesce(per_unit.token_s, shown.token_high_s, default_token_s, 10) as token_high_s,
        per_unit.token_s is null and coalesce(shown.token_high_s, default_token_s) is null as is_token_assumed,
        per_unit.token_s is null and coalesce(shown.token_high_s, default_token_s) is not null as is_token_inferred

    from per_unit

    left join shown using (configuration)

),

bounded as (

    select
        *,
        coalesce(peerinact_s, greatest(2, shown_peerinact_low_s), 2) as peerinact_low_s,
        -- lines may prove that it is longer than any that is usual
        coalesce(peerinact_s, shown_peerinact_high_s, greatest(32, 2 * shown_peerinact_low_s), 32) as peerinact_high_s,
        peerinact_s is null and shown_peerinact_high_s is null as is_peerinact_assumed,
        peerinact_s is null and shown_peerinact_high_s is not null as is_peerinact_inferred

    from ranges

)

select
    configuration,
    unit_run,
    case
        when is_peerinact_assumed then greatest(16, peerinact_low_s) else (peerinact_low_s + peerinact_high_s) / 2
    end as peerinact_s,
    case when is_peertrouble_assumed then 2 else (peertrouble_low_s + peertrouble_high_s) / 2 end as peertrouble_s,
    coalesce(heartbeat_s, 0.5) as heartbeat_s,
    case when is_stable_assumed then 5 else (stable_low_s + stable_high_s) / 2 end as stable_s,
    coalesce(deadtime_s, least(30, deadtime_high_s)) as deadtime_s,
    coalesce(keepalive_s, 2) as keepalive_s,
    case when is_token_assumed then coalesce(usual_token_s, 1) else (token_low_s + token_high_s) / 2 end as token_s,
    coalesce(
        hold_s, 0.8 * coalesce(retransmit_s, token_high_s / (coalesce(retransmits, 4) + 0.2)) - 0.01
    ) as hold_s,
    coalesce(hadr_timeout_s, 120) as hadr_timeout_s,
    hadr_timeout_s is null as is_hadr_timeout_assumed,
    ring_nodes::integer as ring_nodes,
    coalesce(
        consensus_s, 1.2 * case when is_token_assumed then coalesce(usual_token_s, 1) else (token_low_s + token_high_s) / 2 end
    ) as consensus_s,
    peerinact_low_s,
    peerinact_high_s,
    peertrouble_low_s,
    peertrouble_high_s,
    case
        when peerinact_s is not null and stable_s is not null then peerinact_s + stable_s
        else least(
            greatest(peerinact_low_s + stable_low_s, shown_membership_low_s), peerinact_high_s + stable_high_s
        )
    end as membership_low_s,
    case
        when peerinact_s is not null and stable_s is not null then peerinact_s + stable_s
        else greatest(
            least(peerinact_high_s + stable_high_s, shown_membership_high_s), peerinact_low_s + stable_low_s
        )
    end as membership_high_s,
    deadtime_low_s,
    deadtime_high_s,
    token_low_s,
    token_high_s,
    coalesce(consensus_s, 1.2 * token_low_s) as consensus_low_s,
    coalesce(consensus_s, 1.2 * token_high_s) as consensus_high_s,
    is_peerinact_assumed,
    is_peertrouble_assumed,
    is_stable_assumed,
    (is_peerinact_assumed or is_stable_assumed) and shown_membership_high_s is null as is_membership_assumed,
    deadtime_s is null as is_deadtime_assumed,
    is_token_assumed,
    is_peerinact_inferred,
    is_peertrouble_inferred,
    is_stable_inferred,
    (peerinact_s is null or stable_s is null)
    and (shown_membership_high_s is not null or not (is_peerinact_assumed or is_stable_assumed)) as is_membership_inferred,
    is_token_inferred

from bounded

order by configuration, unit_run
