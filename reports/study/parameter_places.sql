-- One row per parameter, value and line that gives it. Attributes of main.cf are left out.
select
    parameters.configuration,
    parameters.run,
    parameters.scope,
    parameters.name,
    parameters.value,
    parameters.effective_value,
    files.path,
    parameters.line_no

from main.parameter as parameters

inner join main.source_file as files
    on parameters.file_id = files.file_id

where parameters.scope <> 'main.cf'

order by parameters.scope, parameters.name, files.path, parameters.line_no
