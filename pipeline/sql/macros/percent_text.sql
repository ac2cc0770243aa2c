-- A percentage in words: whole from 10 on, one decimal below.
create or replace macro percent_text(pct) as
    case when abs(pct) >= 9.95 then format('{:.0f}', pct::double) else format('{:.1f}', pct::double) end || ' %';
