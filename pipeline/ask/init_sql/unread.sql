-- One row per file that no format recognises.
select path from source_file where status = 'unrecognised' order by path
