-- One row per configuration and message that a log calls an error or worse, over its runs; the gravest first.
select
    errors.configuration,
    min(errors.rank) as rank,
    arg_min(errors.severity, errors.rank) as severity,
    errors.message_id,
    arg_min(errors.text, struct_pack(errors.first_at, errors.file_id, errors.line_no)) as text,
    any_value(errors.meaning) as meaning,
    sum(errors.count)::bigint as lines,
    string_agg(distinct errors.nodes, ', ' order by errors.nodes) as nodes,
    min(errors.first_at) as first_at,
    max(errors.last_at) as last_at,
    arg_min(files.path, struct_pack(errors.first_at, errors.file_id, errors.line_no)) as path,
    arg_min(errors.line_no, struct_pack(errors.first_at, errors.file_id, errors.line_no)) as line_no

from main.log_error as errors

inner join main.source_file as files using (file_id)

left join main.configuration_order as configurations
    on errors.configuration = configurations.configuration

group by errors.configuration, configurations.position, errors.source, errors.message_id, message_pattern(errors.text)

order by configurations.position, errors.configuration, rank, first_at nulls last, path, line_no

limit 1000
