-- One row per log line whose text says what became of a failover, and rule of `study.outcome_rule` that it fits. Times
-- in UTC. Of syslog only lines between the first loss and the end of the last incident of their file's unit.
-- columns:
--   says: as the rule has it
--   node_key: host that wrote it, in small letters
--   system_key: node that it is about, in small letters; null where it names none
--   group: service group that it is about; null where it names none
--   at: stamp as printed
with

files as (

    select file_id, configuration, run, node from source_file where status = 'parsed' and configuration is not null

),

syslog_hosts as (

    select file_id, line_no, host from log.syslog_event where part = 1 and host is not null and product = 'VCS'

),

rule_kinds as (

    select distinct position, says, text_pattern, words, unnest(kinds) as kind from study.outcome_rule where source = 'vcs'

),

vcs_messages as (  -- few messages fit a rule, and each is in many lines

    select
        rule.says,
        message.message_no,
        lower(short_host(message.system)) as system_key,
        message."group",
        message.resource,
        message.text

    from log.vcs_event_message as message

    inner join rule_kinds as rule
        on
            message.kind = rule.kind
            and (len(rule.words) = 0 or len([word for word in rule.words if contains(message.text, word)]) > 0)
            and (rule.text_pattern is null or regexp_matches(message.text, rule.text_pattern))

    where
        -- a switch names the node that it leads to
        message.kind <> 'group_switch' or rule.says = 'by_hand'

),

uncritical as (  -- its fault leaves the group online, or partly so

    select distinct applicable_file.configuration, cluster_attribute.entity as resource

    from log.cluster_attribute as cluster_attribute

    inner join applicable_file using (file_id)

    where cluster_attribute.entity_kind = 'resource' and cluster_attribute.attribute = 'Critical' and cluster_attribute.value = '0'

),

resource_groups as (

    select configuration, resource, min("group") as "group" from resource_type group by configuration, resource

),

vcs_lines as (

    select
        files.configuration,
        coalesce(files.run, run_range.run) as unit_run,
        message.says,
        lower(writer_host(syslog_hosts.host, files.node)) as node_key,
        message.system_key,
        coalesce(message."group", resource_groups."group") as "group",
        line."at",
        message.text,
        line.file_id,
        line.line_no

    from vcs_messages as message

    inner join log.vcs_event_line as line using (message_no)

    inner join files using (file_id)

    left join run_range
        on files.run is null and is_in_range(files.configuration, line."at", run_range)

    left join uncritical
        on files.configuration = uncritical.configuration and message.resource = uncritical.resource

    left join resource_groups
        on files.configuration = resource_groups.configuration and message.resource = resource_groups.resource

    left join syslog_hosts
        on line.file_id = syslog_hosts.file_id and line.line_no = syslog_hosts.line_no

    where uncritical.resource is null or message.says <> 'fault'

),

ha_lines as (

    select
        ha_line.configuration,
        ha_line.unit_run,
        rule.says,
        ha_line.node_key,
        case
            when ha_line.kind in ('shutdown_notice', 'resource_failed') then ha_line.peer_key
            when rule.says = 'down' then lower(ha_line.node)
        end as system_key,
        null as "group",
        ha_line."at",
        ha_event.text,
        ha_line.file_id,
        ha_line.line_no

    from ha_line

    inner join study.outcome_rule as rule
        on
            rule.source = 'ha'
            and list_contains(rule.kinds, ha_line.kind)
            and (len(rule.actions) = 0 or list_contains(rule.actions, ha_line.action))

    inner join log.ha_event as ha_event using (file_id, line_no, part)

),

spans as (

    select unit_file.configuration, unit_file.unit_run, unit_file.file_id, min(incident.loss_at) as start_at, max(incident.end_at) as end_at

    from incident

    inner join unit_file
        on incident.configuration = unit_file.configuration and incident.unit_run is not distinct from unit_file.unit_run

    group by unit_file.configuration, unit_file.unit_run, unit_file.file_id

),

file_spans as (

    select file_id, min(start_at) as start_at, max(end_at) as end_at from spans group by file_id

),

rule_words as (

    select position, tags, unnest(words) as word from study.outcome_rule where source = 'syslog'

),

informative as (  -- few lines hold a word

    select distinct
        rule_words.position,
        syslog_event."at",
        syslog_event.host,
        syslog_event.text,
        syslog_event.file_id,
        syslog_event.line_no

    from log.syslog_event as syslog_event

    inner join file_spans
        on
            syslog_event.file_id = file_spans.file_id
            and syslog_event."at" >= file_spans.start_at
            and syslog_event."at" < file_spans.end_at

    inner join rule_words
        on
            contains(syslog_event.text, rule_words.word)
            and (
                len(rule_words.tags) = 0
                or syslog_event.tag is null
                or list_contains(rule_words.tags, lower(syslog_event.tag))
            )

),

fitting_texts as materialized (  -- an expression that is not the same for all rows is translated for each: once for equal texts

    select different.position, different.text, rule.says

    from (select distinct position, text from informative) as different

    inner join study.outcome_rule as rule
        on different.position = rule.position and regexp_matches(different.text, rule.text_pattern)

)

select * from vcs_lines
union all
select * from ha_lines
union all
select
    spans.configuration,
    spans.unit_run,
    rule.says,
    lower(writer_host(syslog_event.host, files.node)) as node_key,
    null as system_key,
    null as "group",
    syslog_event."at",
    syslog_event.text,
    syslog_event.file_id,
    syslog_event.line_no

from informative as syslog_event

inner join fitting_texts as rule
    on syslog_event.position = rule.position and syslog_event.text = rule.text

inner join files
    on syslog_event.file_id = files.file_id

inner join spans
    on syslog_event.file_id = spans.file_id
