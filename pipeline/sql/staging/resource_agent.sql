-- One row per configuration and VCS resource of which lines of one agent alone tell: agents are named as types of
-- resources are.
-- columns:
--   resource: VCS resource
--   agent: the agent
--   file_id: file of the first such line
--   line_no: the line
select
    source_file.configuration,
    vcs_event.resource,
    min(vcs_event.agent) as agent,
    min(file_id) as file_id,
    min_by(vcs_event.line_no, (file_id, vcs_event.line_no)) as line_no

from log.vcs_event as vcs_event

inner join source_file using (file_id)

where vcs_event.agent is not null and vcs_event.resource is not null and source_file.configuration is not null

group by source_file.configuration, vcs_event.resource

having count(distinct vcs_event.agent) = 1
