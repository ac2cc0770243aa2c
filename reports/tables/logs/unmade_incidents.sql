-- One row per line that says that a node or leader is lost and that no incident rests on: first those that nothing
-- else explains, in the order of time.
select
    candidates.configuration,
    candidates.run,
    candidates.at,
    candidates.node,
    candidates.peer,
    candidates.taken_for,
    candidates.missing,
    candidates.text,
    files.path,
    candidates.line_no

from main.loss_candidate as candidates

inner join main.source_file as files using (file_id)

left join main.configuration_order as configurations
    on candidates.configuration = configurations.configuration

where candidates.taken_for not in ('incident', 'same event')

order by
    candidates.taken_for <> 'none',
    configurations.position,
    candidates.configuration,
    candidates.at,
    candidates.file_id,
    candidates.line_no

limit 1000
