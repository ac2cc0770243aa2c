-- One row per run of the HADR simulator whose throughput stands for its pair, with the line of the result.
select
    configuration,
    run,
    syncmode,
    flush_pages,
    regexp_replace(setting, '^[^,]*(, [0-9]+ pages)?(, )?', '') as details,
    mb_s,
    file as path,
    line_no

from main.simhadr_run

where is_decisive and mb_s is not null

order by configuration, syncmode, flush_pages, setting, run, path, line_no
