-- One row: how many different errors the logs name, how often in all, and the first of them.
select
    count(*) as errors,
    sum(errors.count)::bigint as lines,
    arg_min(errors.text, coalesce(errors.first_at, timestamp '9999-12-31')) as text

from main.log_error as errors

having count(*) > 0
