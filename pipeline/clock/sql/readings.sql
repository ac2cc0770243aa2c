-- Lines that have, beside the wall clock, seconds that no setting of a clock changes: the kernel's uptime, and LLT's
-- count of how long a peer is silent. `base_us` is the wall clock less these seconds: constant while nobody sets the
-- clock. Only series in which it changes by more than $least_us within some lines.
with

readings as (

    select
        syslog_event.file_id,
        syslog_event.line_no,
        syslog_event.host,
        'uptime' as series,
        epoch_us(syslog_event."at") as at_us,
        (1000000 * syslog_event.uptime_s)::bigint as count_us,
        0 as count_resolution_us

    from log.syslog_event as syslog_event

    where syslog_event.uptime_s is not null and syslog_event."at" is not null

    union all

    select
        llt_event.file_id,
        llt_event.line_no,
        llt_event.host,
        concat_ws(' ', 'LLT', llt_event.link, llt_event.peer_id, llt_event.outage_key) as series,
        epoch_us(llt_event."at") as at_us,
        1000000 * llt_event.silent_s::bigint as count_us,
        1000000 as count_resolution_us

    from log.llt_event as llt_event

    where llt_event.state = 'inactive' and llt_event.silent_s is not null and llt_event."at" is not null

),

booted as (  -- a count that goes back starts again

    select
        *,
        coalesce(count_us < lag(count_us) over series_in_order, false)::integer as is_first

    from readings

    window series_in_order as (partition by file_id, host, series order by line_no)

),

counters as (  -- counts that go back at every few lines are of several counters under one name, and show no clock

    select file_id, host, series from booted group by file_id, host, series having sum(is_first) < 4 or sum(is_first) * 10 < count(*)

),

numbered as (

    select
        * exclude (is_first),
        at_us - count_us as base_us,
        sum(is_first) over (partition by file_id, host, series order by line_no rows unbounded preceding) as boot_no

    from booted

    where exists (
        select 1

        from counters

        where
            counters.file_id = booted.file_id
            and counters.host is not distinct from booted.host
            and counters.series = booted.series
    )

),

compared as (

    select
        *,
        max(base_us) over some_lines - min(base_us) over some_lines as change_us

    from numbered

    window some_lines as (
        partition by file_id, host, series, boot_no order by line_no rows between 20 preceding and current row
    )

),

changing as (

    select distinct file_id, host, series, boot_no from compared where change_us > $least_us

)

select
    clock_file.configuration,
    clock_file.run,
    lower(writer_host(compared.host, clock_file.node)) as node,
    compared.file_id,
    compared.series,
    compared.boot_no,
    compared.line_no,
    compared.at_us,
    compared.count_us,
    compared.base_us,
    compared.count_resolution_us

from compared

inner join changing
    on
        compared.file_id = changing.file_id
        and compared.host is not distinct from changing.host
        and compared.series = changing.series
        and compared.boot_no = changing.boot_no

inner join clock_file
    on compared.file_id = clock_file.file_id

where clock_file.configuration is not null

order by compared.file_id, node, compared.series, compared.boot_no, compared.line_no
