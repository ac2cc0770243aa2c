-- One row per line that shows a milestone, with its text as far as the store keeps it.
select distinct
    milestones.file_id,
    milestones.line_no,
    events.text

from main.milestone as milestones

inner join main.event as events
    on milestones.file_id = events.file_id
    and milestones.line_no = events.line_no

order by milestones.file_id, milestones.line_no, events.text
