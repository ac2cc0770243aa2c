-- One row per line that shows a milestone, with its text as far as the store keeps it.
select distinct
    files.path,
    milestones.line_no,
    events.text

from main.milestone as milestones

inner join main.event as events
    on milestones.file_id = events.file_id
    and milestones.line_no = events.line_no

inner join main.source_file as files
    on milestones.file_id = files.file_id

order by files.path, milestones.line_no, events.text
