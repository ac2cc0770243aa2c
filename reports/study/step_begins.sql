-- One row per run and phase whose begin a line shows: the place of the line. Seconds after the fault.
select
    begins.configuration,
    begins.run,
    begins.elapsed_s,
    files.path,
    begins.line_no

from main.step_begin as begins

inner join main.source_file as files using (file_id)

order by begins.configuration, begins.run, begins.elapsed_s, files.path, begins.line_no
