-- One row per file of the study, by path, with its SHA-256 and what became of its lines.
select
    path,
    sha256,
    bytes,
    status,
    format,
    configuration,
    run,
    node,
    encoding,
    lines,
    parsed_lines,
    continuation_lines,
    ignored_lines,
    blank_lines,
    rejected_lines,
    rows,
    timezone,
    timezone_source,
    year_source,
    reason

from main.source_file

order by path, file_id
