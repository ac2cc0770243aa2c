-- A percentage that bounds others from above, in words: never rounded down. Whole from 10 on, one decimal below.
create or replace macro percent_bound(pct) as
    case
        when pct > 9.9 then format('{:.0f}', ceil(pct::double - 1e-9))
        else format('{:.1f}', abs(ceil(10 * pct::double - 1e-8)) / 10)
    end || ' %';
