-- One row: where years come from that no line prints; null if every line prints its year.
select string_agg(distinct year_source, ', ' order by year_source) as sources

from source_file

where status = 'parsed' and year_source in ('mtime', 'now', 'archive', 'filename', 'sibling')
