-- One row per statement of `crm configure show` about resources: its kind, name and operands, in the order of the file.
select
    parameter.configuration,
    description,
    name,
    value,
    min_by(files.path || ':' || parameter.line_no, (parameter.line_no, files.path)) as place

from main.parameter

left join main.source_file as files using (file_id)

where
    scope = 'crm'
    and description in ('primitive', 'group', 'clone', 'ms', 'master', 'colocation', 'order')

group by parameter.configuration, description, name, value

order by parameter.configuration, min(parameter.line_no), name
