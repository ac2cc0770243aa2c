-- One row per record of db2diag about a crash recovery. Times in UTC.
select configuration, run, node, instance, database, member, "at", kind, message, pid, appid, file_id, line_no

from db2diag_record

where
    "at" is not null
    and kind in (
        'crash_recovery_needed', 'crash_recovery_started', 'recovery_initiated', 'forward_phase_done',
        'sync_phase_done', 'crash_recovery_done', 'recovery_ok', 'recovery_failed'
    )
