-- A percentage in words: whole from 10 on, one decimal below.
create or replace macro percent_text(pct) as
    if(abs(pct) >= 9.95, format('{:.0f}', pct::double), format('{:.1f}', pct::double)) || ' %';
