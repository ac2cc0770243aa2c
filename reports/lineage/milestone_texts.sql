-- One row per line that shows a milestone, with its text as far as the store keeps it.
select distinct
    milestones.file_id,
    milestones.line_no,
    events.text

from main.milestone as milestones

inner join main.event as events using (file_id, line_no)

order by milestones.file_id, milestones.line_no, events.text
