-- One row per host name that a run of simhadr resolved.
-- columns:
--   aliases: aliases, separated by `, `
--   addresses: addresses, separated by `, `
select
    simhadr_record.run_id,
    host.side,
    host.queried,
    host.hostname,
    array_to_string(host.aliases, ', ') as aliases,
    array_to_string(host.addresses, ', ') as addresses,
    host.file_id,
    host.line_no

from log.simhadr_host as host

inner join simhadr_record using (file_id, run_no)

order by simhadr_record.run_id, host.line_no
