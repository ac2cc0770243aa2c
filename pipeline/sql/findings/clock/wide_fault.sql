-- The interval in which a fault happened is longer than all that is known of the failover after it.
-- severity: warning
with

spans as (

    select
        run.configuration,
        run.run,
        run.file_id,
        run.line_no,
        (epoch_us(run.fault_at_high) - epoch_us(run.fault_at_low)) / 1000000 as width_s,
        (epoch_us(max(milestone."at")) - epoch_us(run.fault_at_high)) / 1000000 as known_s

    from run

    inner join milestone using (configuration, run)

    where run.used

    group by run.configuration, run.run, run.file_id, run.line_no, run.fault_at_low, run.fault_at_high

)

select
    configuration,
    case when count(*) = 1 then min(run) end as run,
    format(
        'The fault of {} of `{}` is only known to lie within {:.0f} s, longer than the {:.0f} s of the failover that lines show after it: the times counted from '
        'it say little. Write down when a fault is made (`logger haledger fault`, or `fault_at` of `[[run]]` in study.toml), or keep a client''s log.',
        case when count(*) = 1 then run_text(min(run)) else count(*) || ' runs' end,
        configuration,
        median(width_s),
        greatest(median(known_s), 0)
    ) as text,
    first(file_id order by run) as file_id,
    first(line_no order by run) as line_no

from spans

where width_s > 10 and width_s > known_s

group by configuration
