-- Each message of each run, numbers taken for alike: how often it is said before the fault and on the way to the
-- end of the recovery, and the first line of it there. Lines of no run have run NULL.
with way as (
    select
        r.configuration,
        r.run,
        r.fault_at as zero,
        coalesce(r.fault_at_low, r.fault_at) as since,
        coalesce(o.recovered_at, r.end_at) as until
    from main.run r
    join main.run_outcome o using (configuration, run)
    where r.fault_at is not null and r.same_as is null
),

said as (
    select distinct text from main.event where text is not null and "at" is not null
),

masked as (
    select
        text,
        regexp_replace(
            regexp_replace(
                message_pattern(text),
                '\b([0-9A-Fa-f]{6,}(-[0-9A-Fa-f]{2,})*|[A-Za-z]*[0-9][A-Za-z]*[0-9][A-Za-z]*[0-9]\w*)\b|[0-9]+',
                '#', 'g'
            ),
            '[-+]?#([.:,/-]#)*', '#', 'g'
        ) as template
    from said
),

placed as (
    select
        e.configuration,
        e.run,
        e.source,
        regexp_replace(coalesce(e.process, ''), '[0-9]+', '#', 'g') as process,
        m.template,
        e.node,
        e.severity,
        e.text,
        e.file_id,
        e.line_no,
        epoch(e.at - w.zero) as elapsed_s,
        e.at < w.since as is_before,
        e.at >= w.since and e.at <= w.until as is_on_way
    from main.event e
    join masked m using (text)
    left join way w on w.configuration = e.configuration and w.run = e.run
    where e.at is not null
),

counted as (
    select
        configuration,
        run,
        source,
        process,
        template,
        count(*) filter (is_before) as before,
        count(*) filter (is_on_way) as on_way,
        min(elapsed_s) filter (is_on_way) as first_s,
        arg_min(
            {'node': node, 'severity': severity, 'text': text, 'file_id': file_id, 'line_no': line_no},
            (elapsed_s, file_id, line_no)
        ) filter (is_on_way) as first
    from placed
    group by all
)

select
    c.configuration,
    c.run,
    c.source,
    c.process,
    c.template,
    c.before,
    c.on_way,
    c.first_s,
    c.first.node,
    c.first.severity,
    c.first.text,
    f.path,
    c.first.line_no
from counted c
left join main.source_file f on f.file_id = c.first.file_id
order by c.first_s nulls last, f.path, c.first.line_no, c.configuration, c.run, c.source, c.process, c.template
