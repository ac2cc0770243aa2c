-- One row per used run: the line that a reader of the run starts at. That of the first evidence of the fault, else
-- that of what the run measured.
with

faults as (

    select configuration, run, file_id, line_no

    from run

    where used and line_no is not null

),

measured as (

    select
        configuration,
        run,
        min(file_id) as file_id,
        arg_min(line_no, (file_id, line_no)) as line_no

    from run_sample

    where is_headline and line_no is not null

    group by configuration, run

)

select configuration, run, file_id, line_no

from faults

union all

select measured.*

from measured

anti join faults using (configuration, run)
