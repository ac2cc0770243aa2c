-- One row per doubt, the gravest first, those of a kind together.
select
    findings.severity,
    findings.kind,
    findings.configuration,
    findings.run,
    findings.text,
    files.path,
    findings.line_no,
    findings.lines

from main.finding as findings

left join main.source_file as files using (file_id)

left join main.configuration_order as configurations
    on findings.configuration = configurations.configuration

order by
    array_position(['error', 'fail', 'warning', 'warn', 'note', 'info'], lower(findings.severity)) nulls last,
    findings.kind,
    configurations.position nulls first,
    findings.configuration,
    findings.run,
    findings.text,
    files.path,
    findings.line_no
