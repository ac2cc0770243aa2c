-- Where HAD logs a membership or a message that the system's log of the same host holds as well: how much later, in
-- seconds. GAB's membership comes up to 20 s before HAD's.
with

messages as materialized (  -- looked for once

    select
        file_id,
        line_no,
        kind,
        message_id,
        text,
        "at"

    from log.vcs_event

    where "at" is not null and kind in ('new_membership', 'system_state')

),

engine_lines as (

    select
        clock_file.configuration,
        clock_file.run,
        lower(short_host(clock_file.node)) as node,
        clock_file.file_id,
        messages.line_no,
        messages.kind,
        messages.message_id,
        messages.text,
        messages."at"

    from messages

    inner join clock_file
        on messages.file_id = clock_file.file_id and clock_file.format = 'vcs_engine'

),

system_lines as (

    select
        clock_file.configuration,
        clock_file.run,
        lower(writer_host(gab_event.host, clock_file.node)) as node,
        clock_file.file_id,
        'new_membership' as kind,
        null as message_id,
        null as text,
        gab_event."at"

    from log.gab_event as gab_event

    inner join clock_file
        on gab_event.file_id = clock_file.file_id

    where gab_event.kind = 'membership' and gab_event."at" is not null

    union all

    select
        clock_file.configuration,
        clock_file.run,
        lower(short_host(clock_file.node)) as node,
        clock_file.file_id,
        messages.kind,
        messages.message_id,
        messages.text,
        messages."at"

    from messages

    inner join clock_file
        on messages.file_id = clock_file.file_id and clock_file.format <> 'vcs_engine'

)

select distinct
    engine_lines.configuration,
    engine_lines.run,
    engine_lines.node,
    engine_lines.file_id,
    engine_lines.line_no,
    system_lines.file_id as system_file_id,
    system_lines.message_id is null as is_membership,
    epoch_us(engine_lines."at") - epoch_us(system_lines."at") as later_us

from engine_lines

inner join system_lines
    on
        engine_lines.configuration = system_lines.configuration
        and engine_lines.run is not distinct from system_lines.run
        and engine_lines.node = system_lines.node
        and engine_lines.kind = system_lines.kind
        and (
            (system_lines.message_id is null and engine_lines.kind = 'new_membership')
            or (engine_lines.message_id = system_lines.message_id and engine_lines.text = system_lines.text)
        )
        and abs(epoch_us(engine_lines."at") - epoch_us(system_lines."at")) <= 52000000000

order by all
