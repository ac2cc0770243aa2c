-- One row per run-level number of the simulator, in the columns of `measurement`: MB/s, seconds per flush, disk tests.
-- One side represents a pair.
-- columns:
--   metric: MB/s, sec_per_flush, sec_per_write, sec_per_read
--   source: format of the file
--   label: setting in words; of a disk test its operation and size
--   clients: null
--   duration_s: length of the run as measured, seconds
--   repetitions: flushes, writes or reads that the value is the mean of; null for a throughput
--   low: null
--   high: null
--   spread: null
--   at: time of the connection, UTC
--   is_valid: false for aborted, interrupted and throttled runs: the value does not stand for the setting
--   doubt: what speaks against the value, in words
with

figures as (

    select
        simhadr_record.run_id,
        figure.name,
        figure.value,
        figure.file_id,
        figure.line_no,
        figure.part

    from log.hadr_figure as figure

    inner join simhadr_record using (file_id, run_no)

    where figure.name in ('mb_s', 'sec_per_flush', 'sec_per_call')

),

network_runs as (

    select
        decisive.run_id,
        decisive.configuration,
        decisive.run,
        decisive.setting as label,
        decisive.seconds,
        decisive.flushes as repetitions,
        null::varchar as op,
        decisive."at",
        concat_ws(
            '; ',
            case when 'aborted' in (decisive.status, peer.status) then 'the other side vanished' end,
            case when 'interrupted' in (decisive.status, peer.status) then 'stopped before its time' end,
            case when decisive.target_mb_s is not null then 'throttled' end
        ) as invalidity,
        concat_ws(
            '; ',
            case when decisive.is_loopback then 'both ends on one host: no measurement of a network' end,
            case when decisive.is_verbose then 'slowed down by -verbose' end,
            case when decisive.seconds < 10 then 'shorter than 10 s' end
        ) as doubt

    from simhadr_run as decisive

    left join simhadr_run as peer
        on decisive.peer_run_id = peer.run_id

    where decisive.is_decisive

),

disk_tests as (

    select
        run_id,
        configuration,
        run,
        format('{}, {} pages', op, pages)
        || case when cached then ', cached' else '' end
        || case when folder = '' then '' else ', ' || folder end as label,
        seconds,
        calls as repetitions,
        op,
        null::timestamp as "at",
        case when status in ('aborted', 'interrupted') then 'stopped before its time' else '' end as invalidity,
        '' as doubt

    from disk_test

),

runs as (

    select * from network_runs
    union all
    select * from disk_tests

)

select
    runs.configuration,
    runs.run,
    case figures.name when 'mb_s' then 'MB/s' when 'sec_per_call' then 'sec_per_' || runs.op else figures.name end as metric,
    case figures.name when 'mb_s' then 'MB/s' else 's' end as unit,
    figures.value,
    source_file.format as source,
    figures.file_id,
    figures.line_no,
    figures.part,
    runs.label,
    null::integer as clients,
    runs.seconds as duration_s,
    case when figures.name <> 'mb_s' then runs.repetitions end as repetitions,
    null::double as low,
    null::double as high,
    null::double as spread,
    runs."at",
    runs.invalidity = '' as is_valid,
    nullif(concat_ws('; ', nullif(runs.invalidity, ''), nullif(runs.doubt, '')), '') as doubt

from figures

inner join runs using (run_id)

inner join source_file using (file_id)

order by figures.file_id, figures.line_no, figures.part
