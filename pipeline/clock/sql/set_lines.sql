-- Messages that say that a clock was set, with whose clock it is and the stamp of the host's line above
with

above as (

    select
        file_id,
        line_no,
        part,
        epoch_us(lag("at") over (partition by file_id, host order by line_no, part)) as above_us

    from log.syslog_event

    where "at" is not null and file_id in (select file_id from log.clock_set)

)

select
    clock_file.configuration,
    clock_file.run,
    lower(writer_host(clock_set.host, clock_file.node)) as node,
    clock_set.file_id,
    clock_set.line_no,
    epoch_us(clock_set."at") as at_us,
    above.above_us,
    clock_set.writer,
    clock_set.kind,
    clock_set.step_s,
    clock_set.direction

from log.clock_set as clock_set

inner join clock_file
    on clock_set.file_id = clock_file.file_id

left join above
    on
        clock_set.file_id = above.file_id
        and clock_set.line_no = above.line_no
        and clock_set.part = above.part

where clock_set."at" is not null and clock_set.kind <> 'boot' and clock_file.configuration is not null

order by clock_file.configuration, clock_file.run, node, at_us, clock_set.file_id, clock_set.line_no
