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

-- each text once before it is masked, and by one look at the events: to plan that relation takes longer than all else
said as (
    select
        e.configuration,
        e.run,
        e.source,
        e.process,
        e.text,
        count(*) filter (e.at < w.since) as before,
        count(*) filter (e.at >= w.since and e.at <= w.until) as on_way,
        arg_min(
            {
                'elapsed_s': epoch(e.at - w.zero),
                'file_id': e.file_id,
                'line_no': e.line_no,
                'node': e.node,
                'severity': e.severity,
                'text': e.text
            },
            (epoch(e.at - w.zero), e.file_id, e.line_no)
        ) filter (e.at >= w.since and e.at <= w.until) as first
    from main.event e
    left join way w on w.configuration = e.configuration and w.run = e.run
    where e.at is not null and e.text is not null
    group by all
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
    from (select distinct text from said)
),

counted as (
    select
        s.configuration,
        s.run,
        s.source,
        regexp_replace(coalesce(s.process, ''), '[0-9]+', '#', 'g') as process,
        m.template,
        sum(s.before)::bigint as before,
        sum(s.on_way)::bigint as on_way,
        arg_min(s.first, (s.first.elapsed_s, s.first.file_id, s.first.line_no)) filter (s.on_way > 0) as first
    from said s
    join masked m using (text)
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
    c.first.elapsed_s as first_s,
    c.first.node,
    c.first.severity,
    c.first.text,
    f.path,
    c.first.line_no
from counted c
left join main.source_file f on f.file_id = c.first.file_id
order by first_s nulls last, f.path, c.first.line_no, c.configuration, c.run, c.source, c.process, c.template
