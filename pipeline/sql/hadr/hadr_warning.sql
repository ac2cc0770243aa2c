-- One row per configuration and reason why runs of the HADR simulator may mislead who plans by them. A primary and its
-- standby are one run.
-- materialised: slow to plan, and read by findings of studies without a simulator, too
-- columns:
--   warning: aborted, no_result, interrupted, throttled, loopback, short, verbose, round_trip_contradicted,
--     buffer_refused, window_too_small, model_missed, inaccurate_sleep, sides_differ, unpaired, no_disk, run_once
--   severity: warning: nothing may be planned by these runs as they are; note: a bias that a reader should know
--   position: from the gravest on
--   runs: runs it holds for; of run_once settings
--   of_runs: runs of the configuration; of run_once settings
--   text: in plain words
--   file_id: file of the first of them
with

reasons as (

    select *

    from (
        values
        (1, 'aborted', 'warning',
            'the other side vanished (aborted): the numbers are those of a broken run'),
        (2, 'no_result', 'warning',
            'ended without a result'),
        (3, 'interrupted', 'warning',
            'stopped before the time that was ordered (interrupted)'),
        (4, 'throttled', 'warning',
            '`-target` ordered the rate (throttled): throughput is an input, no result'),
        (5, 'loopback', 'warning',
            'both ends were on one host (loopback): no real network was measured'),
        (6, 'short', 'warning',
            'shorter than 10 s (too short): start-up and filling buffers weigh; run at least 60 s (`-t 60`)'),
        (7, 'verbose', 'warning',
            '`-verbose` was on: printing every message slows a run'),
        (8, 'round_trip_contradicted', 'warning',
            'the declared round trip is longer than flushes that waited for one: it is wrong, or not of this network'),
        (9, 'buffer_refused', 'warning',
            'the system gave smaller socket buffers than were asked for: raise its limits'),
        (10, 'window_too_small', 'warning',
            'the TCP window is smaller than the network needs: the buffer was measured, not the network'),
        (11, 'model_missed', 'note',
            'flushes took over a fifth longer or shorter than by the model: the network is not as declared, or more than '
            || 'disk and network binds; ask the model little about this flush size'),
        (12, 'inaccurate_sleep', 'note',
            'simulated writes took longer than ordered (more than 1 % of them): set a longer `-spin`'),
        (13, 'sides_differ', 'note',
            'primary and standby differ by more than 2 %: the primary counts what still lies in its send buffer; '
            || 'for ASYNC and SUPERASYNC the standby''s number is used'),
        (14, 'unpaired', 'note',
            'the output of the other side is missing: keep both'),
        (15, 'no_disk', 'note',
            'no disk was simulated (`-disk`): with a real disk SYNC and NEARSYNC may be slower'),
        (16, 'run_once', 'note',
            'run once: how far a repeat would differ is not known; run each at least five times')
    ) as reason (position, warning, severity, text)

),

missed as (  -- a window that is too small is another matter

    select distinct prediction.configuration, prediction.setting

    from hadr_prediction as prediction

    where
        abs(prediction.error_pct) > 20
        and coalesce(prediction.window_limit_mb_s >= prediction.mb_s, true)

),

runs as (  -- one side represents both

    select
        simhadr_run.*,
        string_split(coalesce(verdicts.flags, ''), ', ')
        || case when simhadr_run.status = 'no_result' then ['no_result'] else [] end
        || case
            when simhadr_run.disk_mb_s is null and simhadr_run.standby_disk_mb_s is null and simhadr_run.mb_s is not null
                then ['no_disk']
            else []
        end
        || case when missed.setting is not null then ['model_missed'] else [] end as warnings

    from simhadr_run

    left join hadr_bottleneck as verdicts using (run_id)

    left join missed
        on simhadr_run.configuration = missed.configuration and simhadr_run.setting = missed.setting

    where simhadr_run.role is distinct from 'standby' or simhadr_run.peer_run_id is null

),

flagged as (

    select configuration, unnest(warnings) as warning, file_id, line_no from runs

),

totals as (

    select configuration, count(*) as of_runs from runs group by configuration

),

found as (

    select
        flagged.configuration,
        flagged.warning,
        count(*) as runs,
        any_value(totals.of_runs) as of_runs,
        min_by(flagged.file_id, (flagged.file_id, flagged.line_no)) as file_id,
        min_by(flagged.line_no, (flagged.file_id, flagged.line_no)) as line_no

    from flagged

    inner join totals using (configuration)

    where flagged.warning <> ''

    group by flagged.configuration, flagged.warning

    union all

    select
        configuration,
        'run_once',
        count(*) filter (where runs = 1),
        count(*),
        null,
        null

    from simhadr_repeat

    group by configuration

    having count(*) filter (where runs = 1) > 0

)

select
    found.configuration,
    found.warning,
    reasons.severity,
    reasons.position,
    found.runs,
    found.of_runs,
    reasons.text,
    found.file_id,
    found.line_no

from found

inner join reasons using (warning)

left join configuration_order using (configuration)

order by configuration_order.position, found.configuration, reasons.position
