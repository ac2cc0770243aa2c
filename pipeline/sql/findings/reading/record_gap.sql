-- Records of a db2diag.log are missing, cut or not as they were written: see `db2diag_gap`.
-- severity: warning or note
select
    severity,
    configuration,
    run,
    first(text order by line_no)
    || case when count(*) > 1 then format(' {} such places in the file.', count(*)) else '' end as text,
    file_id,
    min(line_no) as line_no

from db2diag_gap

group by severity, configuration, run, kind, file_id
