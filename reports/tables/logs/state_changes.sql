-- One row per change of a state, in the order of time.
select
    changes.configuration,
    changes.run,
    changes.at,
    changes.node,
    changes.subject,
    changes.name,
    changes.from_state,
    changes.to_state,
    files.path,
    changes.line_no

from main.state_change as changes

inner join main.source_file as files using (file_id)

left join main.configuration_order as configurations
    on changes.configuration = configurations.configuration

left join main.run as runs
    on changes.configuration = runs.configuration and changes.run = runs.run

order by
    configurations.position, changes.configuration, runs.run_no nulls last, changes.run, changes.at, changes.file_id, changes.line_no,
    changes.subject, changes.from_state, changes.name, changes.to_state

limit 1000
