-- Crash recoveries of a database: records no more than ten minutes apart
with

records as (

    select
        db2diag_record.file_id,
        db2diag_record.line_no,
        epoch_us(db2diag_record."at") as at_us,
        coalesce(
            epoch_us(db2diag_record."at") - epoch_us(lag(db2diag_record."at") over (
                partition by db2diag_record.file_id order by db2diag_record."at", db2diag_record.line_no
            )) > 600000000,
            true
        )::integer as is_first

    from log.db2diag_record as db2diag_record

    where
        db2diag_record."at" is not null
        and db2diag_record.kind in (
            'crash_recovery_needed', 'crash_recovery_started', 'recovery_initiated', 'forward_phase_done',
            'crash_recovery_done', 'recovery_ok'
        )

),

numbered as (

    select
        *,
        sum(is_first) over (partition by file_id order by at_us, line_no rows unbounded preceding) as recovery_no

    from records

)

select
    clock_file.configuration,
    clock_file.run,
    lower(short_host(clock_file.node)) as node,
    numbered.file_id,
    min(numbered.line_no) as line_no,
    min(numbered.at_us) as start_us,
    max(numbered.at_us) as end_us

from numbered

inner join clock_file
    on numbered.file_id = clock_file.file_id

where clock_file.configuration is not null

group by clock_file.configuration, clock_file.run, clock_file.node, numbered.file_id, numbered.recovery_no

order by numbered.file_id, start_us
