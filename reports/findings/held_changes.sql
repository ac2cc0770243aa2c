-- One row per kind of thing that changed its state, and how often.
select
    changes.subject,
    count(*) as changes

from main.state_change as changes

group by changes.subject

order by count(*) desc, changes.subject
