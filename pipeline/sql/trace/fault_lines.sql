-- One row per line that bounds the time of a run's fault, by one source. UTC.
select link, silent_s, "at", low_at, high_at, heartbeat_s, file_id, line_no

from fault_line

where configuration = $configuration and run = $run and source = $source

order by "at", file_id, line_no
