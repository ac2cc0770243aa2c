-- One row per take-over of HADR, as the new primary logged it; where only the old primary's log is there, as that did.
select
    takeover.configuration,
    takeover.run,
    takeover.node,
    takeover."database",
    takeover.command_at,
    takeover.done_at,
    takeover.duration_s,
    takeover.is_forced,
    takeover.from_role,
    takeover.failed_attempts,
    takeover.done_kind,
    files.path,
    takeover.line_no

from main.hadr_takeover as takeover

inner join main.source_file as files using (file_id)

left join main.configuration_order as configurations
    on takeover.configuration = configurations.configuration

order by configurations.position, takeover.configuration, takeover.command_at, takeover.node, takeover.file_id, takeover.line_no
