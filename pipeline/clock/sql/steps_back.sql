-- Lines stamped earlier than the line above them of the same host, in files in which stamps go back at all ($files):
-- by more than $sure_us, by more than $least_us where one and the same program wrote a later stamp before, or by more
-- than $own_us where one process did so just before. A line without milliseconds is of a whole second (Patroni's
-- without a stamp of its own, by the head of the system log): less than a second below a finer stamp proves nothing.
-- Files whose stamps go back more often than on were written newest first.
with

stamps as (

    select file_id, line_no, part, epoch_us("at") as at_us, host, concat_ws(' ', tag, pid) as writer, pid

    from log.syslog_event

    where "at" is not null and list_contains($files, file_id)

    union all

    select vcs_event.file_id, vcs_event.line_no, vcs_event.part, epoch_us(vcs_event."at"), null, 'HAD', null

    from log.vcs_event as vcs_event

    inner join clock_file
        on vcs_event.file_id = clock_file.file_id and clock_file.format = 'vcs_engine'

    where vcs_event."at" is not null and list_contains($files, vcs_event.file_id)

),

neighbours as (

    select
        *,
        lag(at_us) over (partition by file_id, host order by line_no, part) as above_us,
        max(at_us) over (
            partition by file_id, host, writer order by line_no, part rows between unbounded preceding and 1 preceding
        ) as own_us,
        lag(at_us) over (partition by file_id, host, writer order by line_no, part) as own_above_us,
        -- a late line is followed by lines of the time before it
        min(at_us) over (
            partition by file_id, host order by line_no, part rows between 1 following and 3 following
        ) as next_us

    from stamps

),

newest_first as (

    select file_id from neighbours group by file_id having count_if(at_us < above_us) > greatest(2, count_if(at_us > above_us))

)

select
    clock_file.configuration,
    clock_file.run,
    lower(writer_host(neighbours.host, clock_file.node)) as node,
    neighbours.file_id,
    neighbours.line_no,
    neighbours.above_us,
    neighbours.at_us

from neighbours

inner join clock_file
    on neighbours.file_id = clock_file.file_id

anti join newest_first
    on neighbours.file_id = newest_first.file_id

where
    clock_file.configuration is not null
    and (
        neighbours.above_us - neighbours.at_us > $sure_us
        or (
            neighbours.above_us - neighbours.at_us > $least_us
            and neighbours.own_us - neighbours.at_us > $least_us
            and neighbours.next_us < neighbours.above_us
        )
        or (
            neighbours.pid is not null
            and neighbours.own_above_us - neighbours.at_us > $own_us
            and (
                neighbours.own_above_us - neighbours.at_us >= 1000000
                or (neighbours.own_above_us % 1000000 <> 0 and neighbours.at_us % 1000000 <> 0)
            )
        )
    )

order by neighbours.file_id, neighbours.line_no
