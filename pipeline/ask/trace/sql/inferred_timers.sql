-- One row per timer of a configuration that lines of its runs show, with the line that shows it best.
select
    'timer ' || case timer when 'membership' then 'peerinact and stable timeout' else timer end as role,
    case
        when high_s - low_s < 0.005 then format('{:.1f} s', low_s)
        else format('{:.1f} to {:.1f} s', low_s, high_s)
    end as note,
    file_id,
    line_no

from inferred_timer

where
    configuration = $configuration
    and list_contains($timers, timer)
    and low_s is not null
    and high_s is not null

order by timer
