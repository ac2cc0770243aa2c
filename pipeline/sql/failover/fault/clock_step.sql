-- One row per setting of a host's clock and incident in whose time it lies; those outside of all incidents once. Times in UTC.
-- Seen by lines that say so, by counts of seconds that no setting changes (uptime), and by stamps that go back. A clock set forward
-- that no line reports and no count spans looks like a silence, and is not seen.
-- materialised: read by run and its flags
-- rows by: configuration
-- empty without rows of: log.clock_change
-- columns:
--   run: run in whose incident it lies; else the run folder; null outside of all
--   node: host whose clock was set, short name in small letters
--   at: first instant on the new clock, as printed
--   step_s: seconds forward, negative back; null where the amount is unknown; of stamps that go back the least that it was
--   error_s: half width of the amount, seconds; null where it is unknown
--   source: what shows it: ntpd, ntpdate, chronyd, systemd, uptime, LLT's count of silence, stamps go back, ...
--   is_corrected: the amount is known to within a second, and times before it were moved onto the new clock
--   is_inside: lies between the first sign of the loss and the last step of the failover
--   file_id: file that shows it
--   line_no: its first line on the new clock
with

last_steps as (  -- what brings the lost node back later belongs to no outage

    select configuration, run, max("at") as last_at

    from milestone_candidate

    where milestone not in ('resync_start', 'resync_done', 'peer')

    group by configuration, run

),

windows as (

    select
        incident.configuration,
        incident.unit_run,
        incident.run,
        incident.lost_key,
        incident.search_start_at,
        incident.end_at,
        last_steps.last_at,
        -- what was set by an unknown amount may hide the steps after it
        greatest(
            last_steps.last_at,
            case
                when incident_instant.service_end_at < incident.end_at then incident_instant.service_end_at
                else last_steps.last_at + interval 15 minute
            end
        ) as open_until_at

    from incident

    inner join incident_instant using (configuration, run)

    left join last_steps using (configuration, run)

),

changes as (

    select
        *,
        lower(node) as node_key,
        step_s is not null and error_s <= 1 as is_corrected

    from log.clock_change

),

within as (

    select
        changes.change_no,
        windows.run,
        -- a clock set by an unknown amount may have been in the failover by either of its times
        bool_or(
            (changes.node_key is distinct from windows.lost_key)
            and (
                (changes."at" >= windows.search_start_at and changes."at" <= windows.last_at)
                or (
                    not changes.is_corrected
                    and (
                        (changes.old_at >= windows.search_start_at and changes.old_at < windows.open_until_at)
                        or (changes."at" >= windows.search_start_at and changes."at" <= windows.open_until_at)
                        or (changes.old_at < windows.search_start_at and changes."at" > windows.search_start_at)
                    )
                )
            )
        ) as is_inside

    from changes

    inner join windows
        on
            changes.configuration = windows.configuration
            and (changes.run is null or changes.run is not distinct from windows.unit_run)
            and least(changes.old_at, changes."at") < windows.end_at
            and greatest(changes.old_at, changes."at") >= windows.search_start_at

    group by changes.change_no, windows.run

)

select
    changes.configuration,
    coalesce(within.run, changes.run) as run,
    changes.node,
    changes."at",
    case when changes.source = 'stamps go back' then -changes.error_s else changes.step_s end as step_s,
    case when changes.step_s is not null then changes.error_s end as error_s,
    changes.source,
    changes.is_corrected,
    coalesce(within.is_inside, false) as is_inside,
    changes.file_id,
    changes.line_no

from changes

left join within using (change_no)

order by changes.configuration, run, changes."at", changes.file_id, changes.line_no
