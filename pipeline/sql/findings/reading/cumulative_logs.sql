-- Run folders hold the logs of earlier runs too: each counts for what is new in it.
-- severity: warning
with

folders as (

    select run.configuration, own.run, own.run_no, min(run.file_id) as file_id, min(run.line_no) as line_no

    from run

    inner join run as own
        on run.configuration = own.configuration and split_part(run.run, '#', 1) = own.run

    where run.same_as is not null and run.run <> own.run and own.same_as is null

    group by run.configuration, own.run, own.run_no

)

select
    configuration,
    min(run) as run,
    format(
        'The logs of `{}` are cumulative: {} also {} what earlier runs logged. Each folder counts for the failover that is new in it.',
        configuration,
        runs_text(list(run_text(run) order by run_no, run)),
        case when count(*) = 1 then 'holds' else 'hold' end
    ) as text,
    min(file_id) as file_id,
    min(line_no) as line_no

from folders

group by configuration
