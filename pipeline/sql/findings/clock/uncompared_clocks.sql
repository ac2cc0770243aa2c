-- A fault time rests on clocks of different hosts that nothing compares.
-- severity: note
select
    configuration,
    format(
        'The fault time of {} of `{}` lies between the last line of the leader that was lost and the first line by which another node missed it; '
        'nothing in the logs compares the clocks of these nodes, which are taken to agree within half a second.',
        case when count(*) = 1 then run_text(min(run)) else count(*) || ' runs' end,
        configuration
    ) as text,
    min(run) as run,
    first(file_id order by run) as file_id,
    first(line_no order by run) as line_no

from fault_time

where low_source = 'leader signs' or high_source = 'leader signs'

group by configuration
