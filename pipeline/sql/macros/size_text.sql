-- A change in percent in words, without an interval: far above, as how many times as much, and near nothing left without decimals that say 100.
create or replace macro size_text(pct, direction) as
    case
        when pct < 0.05 then 'the same'
        when direction = 'more' and pct >= 9900 then format('{:.0f} times as much', 1 + pct::double / 100)
        when direction = 'more' and round(pct, 1) >= 100 then format('{:.1f} times as much', 1 + pct::double / 100)
        when direction = 'less' and pct > 99.9 then 'over 99.9 % less'
        else percent_text(pct) || ' ' || direction
    end;
