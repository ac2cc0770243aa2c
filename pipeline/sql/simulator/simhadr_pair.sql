-- One row per primary and its standby. Both print the time of their connection, the sync mode and the flush size:
-- these join them. Where several runs agree in all three, ports that mirror each other decide, then the bytes shipped,
-- then the folder.
-- from: simhadr_run by primary_run_id as run_id; of mb_s; except standby_mb_s
-- from: simhadr_run by standby_run_id as run_id; of mb_s; except primary_mb_s
-- columns:
--   primary_run_id: run of the primary
--   standby_run_id: run of the standby
--   conn_time: time of the connection as printed
--   primary_mb_s: throughput by the primary, MB/s; it counts what still lies in its send buffer
--   standby_mb_s: throughput by the standby, MB/s
--   difference_pct: primary's above standby's, percent of the standby's
--   is_consistent: both counted the same bytes and flushes
with

pairs as (

    select
        primary_side.run_id as primary_run_id,
        standby_side.run_id as standby_run_id,
        primary_side.conn_time,
        primary_side.mb_s as primary_mb_s,
        standby_side.mb_s as standby_mb_s,
        primary_side.bytes is not distinct from standby_side.bytes
        and primary_side.flushes is not distinct from standby_side.flushes as is_consistent,
        primary_side.configuration is distinct from standby_side.configuration as is_elsewhere,
        primary_side.folder_run is distinct from standby_side.folder_run as is_other_run,
        not coalesce(
            primary_side.local_port = standby_side.remote_port and primary_side.remote_port = standby_side.local_port,
            false
        ) as has_other_ports,
        coalesce(abs(primary_side.bytes - standby_side.bytes), 9223372036854775807) as distance

    from simhadr_record as primary_side

    inner join simhadr_record as standby_side using (conn_time, syncmode, flush_pages)

    where primary_side.role = 'primary' and standby_side.role = 'standby'

)

select
    primary_run_id,
    standby_run_id,
    conn_time,
    primary_mb_s,
    standby_mb_s,
    100 * (primary_mb_s - standby_mb_s) / nullif(standby_mb_s, 0) as difference_pct,
    is_consistent

from pairs

qualify
    row_number() over (
        partition by primary_run_id order by is_other_run, is_elsewhere, has_other_ports, distance, standby_run_id
    ) = 1
    and row_number() over (
        partition by standby_run_id order by is_other_run, is_elsewhere, has_other_ports, distance, primary_run_id
    ) = 1

order by primary_run_id
