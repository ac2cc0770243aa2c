-- One row per line that bounds the time of a run's fault. UTC.
select run, source, link, silent_s, "at", low_at, high_at, heartbeat_s, file_id, line_no

from fault_line

where configuration = $configuration and list_contains($runs, run)

order by run, source, "at", file_id, line_no
