-- Seconds to write this many bytes of log: overhead plus bytes over the transfer rate (MB/s of 10^6 bytes). No disk takes no time.
-- IBM's paper prints `data_amount * write_rate`, a misprint: its later text and simhadr itself divide.
create or replace macro hadr_write_s(bytes, disk_mb_s, overhead_s) as
    coalesce(overhead_s, 0) + coalesce(bytes / nullif(disk_mb_s * 1e6, 0), 0);
