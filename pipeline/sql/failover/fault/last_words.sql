-- One row per run whose lost node left a message or report that can be put on the surviving node's clock: the last before the fault. UTC.
-- A node that writes lives. Its clock is compared with the surviving node's in `host_clock`. Later lines are those of its next start.
-- materialised: small, and reads every line of the lost node
-- rows by: configuration
-- empty without rows of: incident
-- empty without rows of: host_clock
-- columns:
--   node: lost node
--   low_at: the node still lived then, by the clock of the surviving node
--   basis: how the clocks are compared
with

windows as (

    select
        incident.configuration,
        incident.run,
        incident.unit_run,
        incident.lost_key,
        host_clock.basis,
        host_clock.low_s,
        host_clock.high_s,
        incident.search_start_at,
        -- the loss was seen a silence after it; before the node can have started again
        coalesce(
            min(token_loss.high_at + to_microseconds((1000000 * token_loss.hold_s)::bigint)), any_value(incident.loss_at)
        ) as latest_at

    from incident

    inner join host_clock
        on
            incident.configuration = host_clock.configuration
            and incident.run = host_clock.run
            and incident.lost_key = host_clock.node_key

    left join token_loss
        on incident.configuration = token_loss.configuration and incident.run = token_loss.run

    where not incident.is_planned and not incident.is_commanded

    group by all

),

files as (

    select windows.*, source_file.file_id, source_file.node, source_file.last_at, source_file.lines

    from windows

    inner join source_file
        on
            windows.configuration = source_file.configuration
            and windows.unit_run is not distinct from source_file.run
            and windows.lost_key = lower(short_host(source_file.node))

    where source_file.last_at is not null

),

-- a log that ends with the node, or with a report of numbers
ends as (

    select configuration, run, node, basis, low_s, last_at as "at", file_id, lines as line_no

    from files

    where last_at + to_microseconds((1000000 * low_s)::bigint) between search_start_at and latest_at

),

-- one that goes on after the next start
longer as (

    select
        *,
        search_start_at - to_microseconds((1000000 * low_s)::bigint) as from_at,
        latest_at - to_microseconds((1000000 * low_s)::bigint) as to_at

    from files

    where last_at + to_microseconds((1000000 * low_s)::bigint) > latest_at

),

instants as (  -- of these files, each with its last line

    select file_id, "at", max(line_no) as line_no

    from event

    where file_id in (select longer.file_id from longer) and "at" is not null

    group by file_id, "at"

),

words as (

    select
        longer.configuration,
        longer.run,
        longer.node,
        longer.basis,
        longer.low_s,
        instants."at",
        instants.file_id,
        instants.line_no

    from longer

    asof inner join instants
        on longer.file_id = instants.file_id and longer.to_at >= instants."at"

    where instants."at" >= longer.from_at

)

select
    configuration,
    run,
    node,
    "at",
    "at" + to_microseconds((1000000 * low_s)::bigint) as low_at,
    basis,
    file_id,
    line_no

from (select * from ends union all select * from words)

qualify row_number() over (partition by configuration, run order by "at" desc, file_id, line_no desc) = 1
