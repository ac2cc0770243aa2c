-- One row per log line that shows how long a timer of node loss is, in the failure of a link, a ring or a peer. Seconds.
-- Each gives an interval that holds the timer. LLT looks once a second and counts whole seconds, so that a link expires up to a second before or
-- after peerinact; the silence itself is known from the lines `inactive N sec`, else from `in trouble`. Corosync prints its token.
-- Before 3.1.0 it does not: then it waits for consensus, by default 1.2 times the token, before it forms the ring without the lost node.
-- Heartbeat calls a heartbeat late that came after deadtime, which thus is shorter.
-- columns:
--   timer: peerinact, peertrouble, stable, membership (peerinact and the stable timeout together), token, deadtime
--   low_s: the timer is no shorter; null: not bounded
--   high_s: no longer; null: not bounded
with

llt as (

    select
        configuration,
        unit_run,
        coalesce(node_key, file_id::varchar) as host_key,
        node_id,
        kind,
        outage_key,
        silent_s,
        epoch_us("at") / 1000000 as at_s,
        resolution_s,
        file_id,
        line_no,
        -- the silence of a link until it is active again
        row(
            configuration, unit_run, coalesce(node_key, file_id::varchar), node_id, link,
            count(*) filter (where kind = 'active') over earlier
        ) as outage

    from cluster_line

    where source = 'llt' and kind in ('inactive', 'trouble', 'expired', 'active')

    window earlier as (
        partition by configuration, unit_run, coalesce(node_key, file_id::varchar), node_id, link
        order by "at", file_id, line_no rows unbounded preceding
    )

),

silences as (  -- lines of the last series of an outage

    select *

    from llt

    where kind = 'inactive' and silent_s is not null

    qualify coalesce(outage_key, 0) = last_value(coalesce(outage_key, 0)) over (
        partition by outage
        order by at_s, file_id, line_no rows between unbounded preceding and unbounded following
    )

),

by_series as (

    select
        configuration,
        unit_run,
        host_key,
        node_id,
        outage,
        max(at_s - silent_s - 1) as heard_low_s,
        min(at_s - silent_s + resolution_s) as heard_high_s,
        max(silent_s) as silent_s,
        arg_max(silent_s, (at_s, file_id, line_no)) as last_silent_s,
        max(at_s) as last_at_s,
        arg_max(file_id, (at_s, file_id, line_no)) as file_id,
        arg_max(line_no, (at_s, file_id, line_no)) as line_no

    from silences

    group by all

    having heard_low_s <= heard_high_s

),

troubles as (

    select
        llt.configuration,
        llt.unit_run,
        llt.host_key,
        llt.node_id,
        llt.outage,
        min(llt.at_s) as at_s,
        any_value(llt.resolution_s) as resolution_s,
        any_value(specified_timer.seconds) as peertrouble_s,
        arg_min(llt.file_id, (llt.at_s, llt.file_id, llt.line_no)) as file_id,
        arg_min(llt.line_no, (llt.at_s, llt.file_id, llt.line_no)) as line_no

    from llt

    left join specified_timer
        on
            llt.configuration = specified_timer.configuration
            and llt.unit_run is not distinct from specified_timer.unit_run
            and specified_timer.timer = 'peertrouble'

    where llt.kind = 'trouble'

    group by all

),

heard as (  -- when the last heartbeat of a link came

    select configuration, unit_run, host_key, node_id, outage, heard_low_s, heard_high_s

    from by_series

    union all

    select
        configuration,
        unit_run,
        host_key,
        node_id,
        outage,
        at_s - coalesce(peertrouble_s, 4) - 1,
        at_s - coalesce(peertrouble_s, 1) + resolution_s

    from troubles

    anti join by_series using (outage)

),

expiries as (

    select
        configuration,
        unit_run,
        host_key,
        node_id,
        outage,
        min(at_s) as at_s,
        any_value(resolution_s) as resolution_s,
        arg_min(file_id, (at_s, file_id, line_no)) as file_id,
        arg_min(line_no, (at_s, file_id, line_no)) as line_no

    from llt

    where kind = 'expired'

    group by all

),

memberships as (

    select
        evidence.configuration,
        evidence.unit_run,
        coalesce(evidence.node_key, evidence.file_id::varchar) as host_key,
        evidence.lost_id as node_id,
        epoch_us(evidence."at") / 1000000 as at_s,
        line_resolution(evidence."at", stamp_resolution.resolution_s, stamp_resolution.whole_milli_s, stamp_resolution.whole_second_s) as resolution_s,
        evidence.file_id,
        evidence.line_no

    from node_loss_evidence as evidence

    inner join stamp_resolution using (file_id)

    where evidence.layer in ('gab', 'had') and evidence.is_decisive

    -- HAD's membership is GAB's, and said later
    qualify row_number() over (
        partition by evidence.configuration, evidence.unit_run, coalesce(evidence.node_key, evidence.file_id::varchar), evidence.lost_id
        order by evidence.layer, evidence."at", evidence.file_id, evidence.line_no
    ) = 1

),

last_heard as (  -- over the links of a peer that fell silent together

    select
        memberships.configuration,
        memberships.unit_run,
        memberships.host_key,
        memberships.node_id,
        max(heard.heard_low_s) as heard_low_s,
        min(heard.heard_high_s) as heard_high_s

    from memberships

    inner join heard
        on
            memberships.configuration = heard.configuration
            and memberships.unit_run is not distinct from heard.unit_run
            and memberships.host_key = heard.host_key
            and memberships.node_id = heard.node_id
            and memberships.at_s between heard.heard_low_s and heard.heard_high_s + 120

    group by all

    having max(heard.heard_low_s) <= min(heard.heard_high_s)

),

last_expiries as (

    select
        memberships.configuration,
        memberships.unit_run,
        memberships.host_key,
        memberships.node_id,
        max(expiries.at_s) as at_s,
        any_value(expiries.resolution_s) as resolution_s

    from memberships

    inner join expiries
        on
            memberships.configuration = expiries.configuration
            and memberships.unit_run is not distinct from expiries.unit_run
            and memberships.host_key = expiries.host_key
            and memberships.node_id = expiries.node_id
            and memberships.at_s between expiries.at_s and expiries.at_s + 60

    group by all

),

consensus_waits as (  -- from the lost token to the ring that some are gone from

    select
        lost.configuration,
        lost.unit_run,
        lost.resolution_s,
        (epoch_us(formed."at") - epoch_us(lost."at")) / 1000000 as waited_s,
        formed.file_id,
        formed.line_no

    from cluster_line as lost

    inner join cluster_line as formed
        on
            lost.configuration = formed.configuration
            and lost.unit_run is not distinct from formed.unit_run
            and lost.file_id = formed.file_id
            and lost.node_key is not distinct from formed.node_key
            and formed.source = 'ha'
            and formed.kind = 'membership'
            and formed."at" between lost."at" and lost."at" + interval 50 second

    where
        lost.kind = 'token_lost'
        and lost.silent_s is null
        and not exists (

            select 1

            from specified_timer

            where
                specified_timer.configuration = lost.configuration
                and specified_timer.unit_run is not distinct from lost.unit_run
                and specified_timer.timer in ('token', 'consensus')
        )
        and not exists (

            select 1

            from cluster_line as again

            where
                again.file_id = lost.file_id
                and again.node_key is not distinct from lost.node_key
                and again.kind = 'token_lost'
                and again."at" > lost."at"
                and again."at" < formed."at"
        )

    qualify
        row_number() over (partition by lost.file_id, lost.line_no, lost.part order by formed."at", formed.line_no) = 1
        and formed.previous_state is not null

)

-- looks are whole seconds apart: one that came this many after a silence of N to N + 1 s saw so much more, no matter what the stamps are cut to;
-- a twentieth of a second is for looks that are late
select
    expiries.configuration,
    expiries.unit_run,
    'peerinact' as timer,
    expiries.at_s - by_series.last_at_s + by_series.last_silent_s - 1.05 as low_s,
    expiries.at_s - by_series.last_at_s + by_series.last_silent_s + 2.05 as high_s,
    expiries.file_id,
    expiries.line_no

from expiries

inner join by_series using (outage)

union all

select
    expiries.configuration,
    expiries.unit_run,
    'peerinact',
    expiries.at_s - heard.heard_high_s - 1,
    expiries.at_s + expiries.resolution_s - heard.heard_low_s + 1,
    expiries.file_id,
    expiries.line_no

from expiries

inner join heard using (outage)

union all

-- a link that was silent for N seconds had not expired before
select configuration, unit_run, 'peerinact', silent_s - 1, null, file_id, line_no from by_series

union all

select
    troubles.configuration,
    troubles.unit_run,
    'peertrouble',
    troubles.at_s - by_series.heard_high_s - 1,
    troubles.at_s + troubles.resolution_s - by_series.heard_low_s,
    troubles.file_id,
    troubles.line_no

from troubles

inner join by_series using (outage)

union all

select
    memberships.configuration,
    memberships.unit_run,
    'membership',
    memberships.at_s - last_heard.heard_high_s - 1,
    memberships.at_s + memberships.resolution_s - last_heard.heard_low_s + 2,
    memberships.file_id,
    memberships.line_no

from memberships

inner join last_heard
    on
        memberships.configuration = last_heard.configuration
        and memberships.unit_run is not distinct from last_heard.unit_run
        and memberships.host_key = last_heard.host_key
        and memberships.node_id = last_heard.node_id

union all

select
    memberships.configuration,
    memberships.unit_run,
    'stable',
    memberships.at_s - last_expiries.at_s - last_expiries.resolution_s - 1,
    memberships.at_s + memberships.resolution_s - last_expiries.at_s + 1,
    memberships.file_id,
    memberships.line_no

from memberships

inner join last_expiries
    on
        memberships.configuration = last_expiries.configuration
        and memberships.unit_run is not distinct from last_expiries.unit_run
        and memberships.host_key = last_expiries.host_key
        and memberships.node_id = last_expiries.node_id

union all

select configuration, unit_run, 'token', silent_s, silent_s, file_id, line_no

from cluster_line

where kind = 'token_lost' and silent_s is not null

union all

-- forming the ring takes a little longer than consensus
select
    configuration,
    unit_run,
    'token',
    (waited_s - resolution_s - 0.3) / 1.2,
    (waited_s + resolution_s) / 1.2,
    file_id,
    line_no

from consensus_waits

where waited_s > 0.5

union all

-- the warning comes after three quarters of the token, and prints the silence measured then
select configuration, unit_run, 'token', (value - 100) / 750, value / 750, file_id, line_no

from ha_line

where kind = 'token_late' and value is not null

union all

select configuration, unit_run, 'deadtime', null, value / 1000, file_id, line_no

from ha_line

where kind = 'late_heartbeat' and value is not null
