-- A fault time rests on clocks of different hosts that nothing compares.
-- severity: note
with

ends as (

    select
        fault_time.*,
        'leader signs' in (fault_time.low_source, fault_time.high_source) as is_by_leader,
        'client questions' in (fault_time.low_source, fault_time.high_source)
        and exists (
            select 1

            from host_clock

            where
                host_clock.configuration = fault_time.configuration
                and host_clock.run = fault_time.run
                and host_clock.basis = 'agreement'
        ) as is_by_client

    from fault_time

)

select
    configuration,
    format(
        'The fault time of {} of `{}` lies between {}; nothing in the logs compares the clocks of these hosts, which are taken to agree within half a second.',
        case when count(*) = 1 then run_text(min(run)) else count(*) || ' runs' end,
        configuration,
        case
            when bool_or(is_by_client) then 'the last question that a client had answered, or the last line of the leader that was lost, and the first sign that it was gone'
            else 'the last line of the leader that was lost and the first line by which another node missed it'
        end
    ) as text,
    min(run) as run,
    first(file_id order by run) as file_id,
    first(line_no order by run) as line_no

from ends

where is_by_leader or is_by_client

group by configuration
