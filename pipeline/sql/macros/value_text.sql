-- A value in a sentence: three digits, all before the decimal point, with its unit where that is a unit of time.
create or replace macro value_text(value, unit) as
    case
        when abs(value) >= 100 then format('{:.0f}', value::double)
        when abs(value) >= 10 then format('{:.1f}', value::double)
        else format('{:.2f}', value::double)
    end
    || case when unit in ('s', 'ms', 'us', 'ns', 'min', 'h') then ' ' || unit else '' end;
