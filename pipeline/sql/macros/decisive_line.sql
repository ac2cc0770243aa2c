-- A line that decided a finding: of which run, of which step or metric (null: of the run itself), and where it is.
create or replace macro decisive_line(configuration, run, item, file_id, line_no) as
    {'configuration': configuration, 'run': run, 'item': item, 'file_id': file_id, 'line_no': line_no};
