-- A logging service reports that it lost messages.
-- severity: warning
select
    configuration,
    run,
    format(
        'On `{}`, {} lost {} from {} on: what happened then may be missing.',
        coalesce(node, 'a node without a name'),
        coalesce(writer, 'the logging service'),
        coalesce(sum(lost_count)::bigint || ' messages', 'messages'),
        coalesce(strftime(min("at"), '%Y-%m-%d %H:%M:%S'), 'an unknown time')
    ) as text,
    first(file_id order by "at", file_id, line_no) as file_id,
    first(line_no order by "at", file_id, line_no) as line_no

from log_gap

group by configuration, run, node, writer
