-- Seconds that a log flush takes under a sync mode, from writing on either side, sending, and the round trip of the
-- acknowledgement. SYNC does one after the other; NEARSYNC writes while it ships; ASYNC and weaker modes wait for no
-- acknowledgement.
create or replace macro hadr_flush_s(mode, write_s, standby_write_s, send_s, round_trip_s) as
    case mode
        when 'SYNC' then write_s + send_s + standby_write_s + round_trip_s
        when 'NEARSYNC'
            then case when send_s + round_trip_s is not null then greatest(write_s, send_s + round_trip_s) end
        when 'ASYNC' then case when send_s is not null then greatest(write_s, send_s) end
        when 'SUPERASYNC' then case when send_s is not null then greatest(write_s, send_s) end
        when 'RCU' then case when send_s is not null then greatest(write_s, send_s) end
    end;

-- Seconds to write this many bytes of log: overhead plus bytes over the transfer rate (MB/s of 10^6 bytes). No disk
-- takes no time. IBM's paper prints `data_amount * write_rate`, a misprint: its later text and simhadr itself divide.
create or replace macro hadr_write_s(bytes, disk_mb_s, overhead_s) as
    coalesce(overhead_s, 0) + coalesce(bytes / nullif(disk_mb_s * 1e6, 0), 0);
