-- Spans in which VCS started a database on a system: from the initiation to online. Where no file says what type
-- resources have, the starts of all of them.
with

types as (

    select resource, resource_type from log.cluster_resource

    union

    select said.resource, declared_type.resource_type

    from (select distinct resource from log.vcs_event_message) as said

    inner join study.resource_type as declared_type
        on said.resource glob declared_type.pattern

),

starts as (

    select
        vcs_event.file_id,
        vcs_event.line_no,
        lower(short_host(vcs_event.system)) as node,
        vcs_event.resource,
        vcs_event.kind,
        epoch_us(vcs_event."at") as at_us,
        lag(vcs_event.kind) over resource_in_order as kind_above,
        epoch_us(lag(vcs_event."at") over resource_in_order) as above_us

    from log.vcs_event as vcs_event

    where
        vcs_event."at" is not null
        and vcs_event.resource is not null
        and (
            vcs_event.kind = 'initiate_online'
            or (vcs_event.kind = 'resource_online' and coalesce(vcs_event.message_number, 10298) = 10298)
        )

    window resource_in_order as (
        partition by vcs_event.file_id, lower(short_host(vcs_event.system)), vcs_event.resource
        order by vcs_event.line_no, vcs_event.part
    )

)

select
    clock_file.configuration,
    clock_file.run,
    starts.node,
    starts.file_id,
    starts.line_no,
    starts.above_us as start_us,
    starts.at_us as end_us

from starts

inner join clock_file
    on starts.file_id = clock_file.file_id

where
    starts.kind = 'resource_online'
    and starts.kind_above = 'initiate_online'
    and starts.at_us >= starts.above_us
    and clock_file.configuration is not null
    and (
        starts.resource in (select resource from types where resource_type = 'Db2udb')
        or not exists (select 1 from types where resource_type = 'Db2udb')
    )

order by starts.file_id, starts.line_no
