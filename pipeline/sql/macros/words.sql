-- A p value in a sentence.
create or replace macro chance_text(p) as
    case when p < 0.001 then 'p < 0.001' else format('p = {:.3f}', p::double) end;

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

-- A percentage that bounds others from above, in words: never rounded down. Whole from 10 on, one decimal below.
create or replace macro percent_bound(pct) as
    case
        when pct > 9.9 then format('{:.0f}', ceil(pct::double - 1e-9))
        else format('{:.1f}', abs(ceil(10 * pct::double - 1e-8)) / 10)
    end || ' %';

-- A percentage in words: whole from 10 on, one decimal below.
create or replace macro percent_text(pct) as
    case when abs(pct) >= 9.95 then format('{:.0f}', pct::double) else format('{:.1f}', pct::double) end || ' %';

-- A run in a sentence: its own name where that is a word (run03), else `run 3`.
create or replace macro run_text(run) as
    case when regexp_matches(run, '[A-Za-z]') then run else 'run ' || run end;

-- Runs in a sentence, of which a list of `run_text` is in order: all of a few, else the first and how many more.
create or replace macro runs_text(texts) as
    case
        when len(texts) <= 4 then array_to_string(texts, ', ')
        else format('{} and {} more', array_to_string(texts[:3], ', '), len(texts) - 3)
    end;

-- A change in percent in words, without an interval: far above, as how many times as much, and near nothing left
-- without decimals that say 100.
create or replace macro size_text(pct, direction) as
    case
        when pct < 0.05 then 'the same'
        when direction = 'more' and pct >= 9900 then format('{:.0f} times as much', 1 + pct::double / 100)
        when direction = 'more' and round(pct, 1) >= 100 then format('{:.1f} times as much', 1 + pct::double / 100)
        when direction = 'less' and pct > 99.9 then 'over 99.9 % less'
        else percent_text(pct) || ' ' || direction
    end;

-- A value in a sentence: three digits, all before the decimal point, with its unit where that is a unit of time.
create or replace macro value_text(value, unit) as
    case
        when abs(value) >= 100 then format('{:.0f}', value::double)
        when abs(value) >= 10 then format('{:.1f}', value::double)
        else format('{:.2f}', value::double)
    end
    || case when unit in ('s', 'ms', 'us', 'ns', 'min', 'h') then ' ' || unit else '' end;

-- Text to sort by so that run2 comes before run10: every number padded with zeros to ten digits.
create or replace macro natural_order(name) as
    regexp_replace(regexp_replace(lower(name), '(\d+)', '0000000000\1', 'g'), '0*(\d{10})', '\1', 'g');
