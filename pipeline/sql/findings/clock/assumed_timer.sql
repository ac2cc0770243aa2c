-- A fault time rests on a timer that neither a file nor a line shows.
-- severity: note
select
    run.configuration,
    format(
        'The fault time of {} of `{}` is known to {:.1f} s: it rests on a timer that neither a configuration file nor a line of the logs shows.',
        case when count(*) = 1 then run_text(min(run.run)) else count(*) || ' runs' end,
        run.configuration,
        median(fault_time.width_s)
    ) as text

from run

inner join fault_time using (configuration, run)

where contains(run.flags, 'assumed_timer')

group by run.configuration
