-- An effect in percent with the ends of its interval, in words: all three with as many decimals as the interval allows.
create or replace macro effect_text(pct, direction, near_pct, far_pct) as
    format(
        case
            -- far above, per cent is hard to read: 3.9 times as much instead of 292 % more
            when direction = 'more' and pct >= 9900 then '{4:.0f} times as much (95 % CI {5:.0f} to {6:.0f})'
            when direction = 'less' and near_pct > 99.9 then 'over 99.9 % less'
            when direction = 'more' and round(pct, 1) >= 100 and far_pct - near_pct >= 10 then '{4:.1f} times as much (95 % CI {5:.1f} to {6:.1f})'
            when direction = 'more' and round(pct, 1) >= 100 then '{4:.2f} times as much (95 % CI {5:.2f} to {6:.2f})'
            when far_pct - near_pct >= 10 then '{0:.0f} % {1} (95 % CI {2:.0f} to {3:.0f} %)'
            when far_pct - near_pct >= 0.2 then '{0:.1f} % {1} (95 % CI {2:.1f} to {3:.1f} %)'
            else '{0:.2f} % {1} (95 % CI {2:.2f} to {3:.2f} %)'
        end,
        pct::double, direction, near_pct::double, far_pct::double,
        1 + pct::double / 100, 1 + near_pct::double / 100, 1 + far_pct::double / 100
    );
