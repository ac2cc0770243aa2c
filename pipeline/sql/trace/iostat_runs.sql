-- One row per used run, and two lines of it: the first and the last of the reports that the run's mean is the mean of.
with

own as (

    select *

    from iostat_run

    where
        configuration = $configuration
        and node is not distinct from $node
        and source = $source
        and device = $device
        and metric = $metric

),

reported as (

    select iostat_device.configuration, iostat_device.run, iostat_device.file_id, max(iostat_device.line_no) as last_line_no

    from iostat_device

    where
        iostat_device.configuration = $configuration
        and iostat_device.node is not distinct from $node
        and iostat_device.source = $source
        and iostat_device.device = $device

    group by iostat_device.configuration, iostat_device.run, iostat_device.file_id

)

select
    own.configuration,
    own.run,
    true as is_used,
    null as reason,
    own.value,
    case places.place when 1 then 'first report' else 'last report' end as role,
    own.metric || ', mean of the run''s reports' as how,
    own.reports || ' reports, lines ' || own.line_no || ' to ' || reported.last_line_no as note,
    null::timestamp as "at",
    own.file_id,
    case places.place when 1 then own.line_no else reported.last_line_no end as line_no

from own

inner join reported
    on own.configuration = reported.configuration and own.run = reported.run and own.file_id = reported.file_id

cross join range(1, 3) as places (place)

left join run
    on own.configuration = run.configuration and own.run = run.run

where places.place = 1 or reported.last_line_no > own.line_no

order by run.run_no nulls last, own.run, places.place
