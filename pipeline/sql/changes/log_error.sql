-- One row per message that a log itself calls an error or worse, of each configuration and run: its first line, and
-- how often it came. Two lines say the same message where they differ in instants, numbers and long ids alone. Where a
-- line prints no severity, the word with which its text begins counts ([ERROR], FATAL:); what a cluster manager
-- reports as failed is here too, though it call it a notice. A message of the same hosts in two logs, one that carries
-- the other, is here once.
-- columns:
--   severity: severity or level as the source has it; null where only what failed says so
--   rank: 0 the system is unusable, 1 critical, 2 error
--   count: lines that say it; a repeat that a log folds counts as often as it says
--   nodes: hosts that wrote it, separated by commas
--   first_at: first of them, UTC; null where no line is dated
--   last_at: last of them, UTC
--   file_id: file of the first
--   line_no: the first
--   text: the first
--   meaning: what it means, where it is well known
with

failures as (  -- what a cluster manager, replication or database reports as failed

    select file_id, line_no, part, min(kind) as kind

    from log.ha_event

    where kind in ('split_brain', 'fence_failed', 'resource_failed', 'db_recovery_failed', 'state_change_refused')

    group by all

),

named as (

    select event.*, coalesce(event.severity, severity_word(event.text)) as word, failures.kind

    from event

    left join failures using (file_id, line_no, part)

),

ranked as (

    select
        *,
        coalesce(severity_rank(word), case when kind is not null then 2 end) as rank,
        -- ADAPTED: VCS ERROR V-16-1-10079 System alder (Node '0') is in Down State: what carries a message names
        -- product and id
        message_pattern(regexp_replace(text, '^(?:\S+ ){1,3}V-\d+-\d+-\d+ ', '')) as pattern

    from named

    where severity_rank(word) is not null or kind is not null

),

counted as (

    select ranked.*, 1 + coalesce(repeats.repeat_count, 0) as lines

    from ranked

    left join log.syslog_event as repeats using (file_id, line_no, part)

),

messages as (

    select
        configuration,
        run,
        source,
        message_id,
        pattern,
        min(rank) as rank,
        sum(lines)::bigint as "count",
        string_agg(distinct node, ', ' order by node) as nodes,
        min("at") as first_at,
        max("at") as last_at,
        arg_min(struct_pack(word, file_id, line_no, part, kind, text), struct_pack("at", file_id, line_no, part)) as first_line

    from counted

    group by configuration, run, source, message_id, pattern

),

once as (

    select *

    from messages

    qualify row_number() over (
        partition by configuration, run, message_id, pattern, nodes order by "count" desc, source = 'syslog', first_at, source
    ) = 1

)

select
    configuration,
    run,
    source,
    first_line.word as severity,
    rank,
    message_id,
    "count",
    nodes,
    first_at,
    last_at,
    first_line.file_id,
    first_line.line_no,
    first_line.text,
    coalesce(
        message_meaning(message_id, first_line.text),
        case first_line.kind
            when 'split_brain' then 'Both sides were active, and their data may differ'
            when 'fence_failed' then 'A node could not be fenced; what it held is not taken over'
            when 'resource_failed' then 'An operation on a resource failed'
            when 'db_recovery_failed' then 'Crash recovery failed; the database is not available'
            when 'state_change_refused' then 'A change of state was refused'
        end
    ) as meaning

from once

order by configuration, run, first_at, first_line.file_id, first_line.line_no
