-- One row per connection of a primary and a standby that both logs report (V10.1 and later). Times in UTC.
-- Both write `Connection succeeded` with the number of the connection within milliseconds, so that the difference of
-- their stamps is the offset of their clocks. Numbers start again with every start: the nearest in time are paired.
-- columns:
--   database: database, in capitals
--   log_stream: log stream
--   conn_id: number of the connection
--   primary_node: host of the primary
--   standby_node: host of the standby
--   primary_at: stamp by the primary
--   standby_at: stamp by the standby
--   clock_offset_s: standby's clock minus primary's, seconds
--   primary_file_id: file of the primary's record
--   primary_line_no: its line
--   standby_file_id: file of the standby's record
--   standby_line_no: its line
with

connections as (  -- a copy of a log shows nothing new

    select * replace (upper(database) as database)

    from hadr_event

    where kind = 'hadr_connected' and conn_id is not null and "at" is not null

    qualify row_number() over (
        partition by configuration, run, node, upper(database), edu, conn_id, "at" order by file_id, line_no
    ) = 1

),

pairs as (

    select
        primary_side.configuration,
        primary_side.run,
        primary_side.database,
        primary_side.log_stream,
        primary_side.conn_id,
        primary_side.node as primary_node,
        standby_side.node as standby_node,
        primary_side."at" as primary_at,
        standby_side."at" as standby_at,
        (epoch_us(standby_side."at") - epoch_us(primary_side."at")) / 1e6 as clock_offset_s,
        primary_side.file_id as primary_file_id,
        primary_side.line_no as primary_line_no,
        standby_side.file_id as standby_file_id,
        standby_side.line_no as standby_line_no

    from connections as primary_side

    inner join connections as standby_side
        on
            primary_side.side = 'primary'
            and standby_side.side = 'standby'
            and primary_side.configuration is not distinct from standby_side.configuration
            and primary_side.run is not distinct from standby_side.run
            and primary_side.database is not distinct from standby_side.database
            and primary_side.log_stream is not distinct from standby_side.log_stream
            and primary_side.conn_id = standby_side.conn_id
            and primary_side.file_id <> standby_side.file_id
            and (primary_side.node is null or primary_side.node is distinct from standby_side.node)

),

ranked as (

    select
        *,
        row_number() over (
            partition by primary_file_id, primary_line_no
            order by abs(clock_offset_s), standby_file_id, standby_line_no
        ) as standby_rank,
        row_number() over (
            partition by standby_file_id, standby_line_no
            order by abs(clock_offset_s), primary_file_id, primary_line_no
        ) as primary_rank

    from pairs

)

select * exclude (standby_rank, primary_rank)

from ranked

where standby_rank = 1 and primary_rank = 1

order by configuration, run, primary_at, primary_file_id, primary_line_no
