-- One row per kind of thing that changed its state: how often, and its last change.
select
    changes.subject,
    count(*) as changes,
    max(changes."at") as last_at,
    arg_max(
        concat_ws(' ', changes.name, 'from ' || changes.from_state, 'to ' || changes.to_state),
        (changes."at", changes.file_id, changes.line_no)
    ) filter (where changes."at" is not null) as last

from main.state_change as changes

group by changes.subject

order by count(*) desc, changes.subject
