-- study.toml gives a configuration another value of a parameter than its files.
-- severity: warning
select
    configuration,
    format('`{}` is declared with {} = {:g}, but its files give {}.', configuration, factor, declared, found) as text,
    file_id,
    line_no

from label_contradiction
