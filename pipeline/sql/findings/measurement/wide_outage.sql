-- What lies between the bounds of an outage of clients is longer than the outage that is given: nobody asked in
-- between.
-- severity: warning
select
    configuration,
    case when count(*) = 1 then min(run) end as run,
    format(
        'The outage of the clients{} in {} of `{}` is only known to lie between {:.1f} and {:.1f} s, as nobody asked in between: the {:.1f} s that the report '
        'gives are the middle. Let the probe go on asking.',
        case when count(distinct target) = 1 and bool_and(target is not null) then format(' of {}', min(target)) else '' end,
        case when count(*) = 1 then run_text(min(run)) else count(*) || ' runs' end,
        configuration,
        min(outage_low_s),
        max(outage_high_s),
        median(outage_s)
    ) as text,
    first(file_id order by run, file_id, line_no) as file_id,
    first(line_no order by run, file_id, line_no) as line_no

from client_outage

where outage_high_s - outage_low_s > outage_s and outage_high_s - outage_low_s > 3 * interval_s and outage_high_s - outage_low_s > 1

group by configuration
