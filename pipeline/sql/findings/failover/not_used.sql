-- A run is left out of statistics for another reason than study.toml.
-- severity: warning
select
    configuration,
    run,
    format('In `{}`, {} is set aside: {}.', configuration, run_text(run), excluded_reason) as text,
    file_id,
    line_no

from run

where not used and not contains(flags, 'excluded')
