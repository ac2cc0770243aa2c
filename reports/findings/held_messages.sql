-- One row per kind of log with messages: how many, and of which days.
select
    events.source,
    count(*) as messages,
    min(events."at") as first_at,
    max(events."at") as last_at

from main.event as events

group by events.source

order by messages desc, events.source
