-- The runs of a configuration had faults of several kinds: its means are of one of them.
-- severity: note
select
    counted_kind.configuration,
    null::varchar as run,
    format(
        'The runs of `{}` had faults of several kinds: {}. Means, intervals and comparisons are of {} alone; `milestone_stats_by_kind` has all.',
        counted_kind.configuration,
        counted_kind.fault_kinds,
        case when counted_kind.fault_kind = 'not known' then 'those not known' else format('`{}`', counted_kind.fault_kind) end
    ) as text,
    run.file_id,
    run.line_no

from counted_kind

left join run
    on counted_kind.configuration = run.configuration and counted_kind.fault_kind <> coalesce(run.fault_kind, 'not known') and run.used

where counted_kind.kinds > 1

qualify row_number() over (partition by counted_kind.configuration order by run.run_no, run.run) = 1

union all

select
    here.configuration,
    null::varchar as run,
    format(
        'The runs of `{}` that count had faults of the kind `{}`, those of its reference `{}` of the kind `{}`: the comparison cannot tell the setting from the kind of fault.',
        here.configuration,
        here.fault_kind,
        there.configuration,
        there.fault_kind
    ) as text,
    null::integer as file_id,
    null::integer as line_no

from counted_kind as here

inner join comparison_pair as pair on here.configuration = pair.configuration

inner join counted_kind as there on pair.reference = there.configuration

where here.fault_kind <> there.fault_kind and greatest(here.kinds, there.kinds) > 1
