-- One row per statement of `crm configure show` about resources: its kind, name and operands, in the order of the file.
select
    configuration,
    description,
    name,
    value

from main.parameter

where
    scope = 'crm'
    and description in ('primitive', 'group', 'clone', 'ms', 'master', 'colocation', 'order')

group by configuration, description, name, value

order by configuration, min(line_no), name
