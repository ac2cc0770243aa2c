-- One row per configuration and setting of the HADR simulator: what its runs were bound by, and what casts doubt on
-- them.
select
    verdicts.configuration,
    verdicts.syncmode,
    verdicts.setting,
    count(*) as runs,
    verdicts.verdict,
    any_value(verdicts.reason order by verdicts.run_id) as reason,
    string_agg(distinct nullif(verdicts.flags, ''), ', ') as flags

from main.hadr_bottleneck as verdicts

left join main.configuration_order as configurations using (configuration)

where verdicts.role is distinct from 'standby'

group by configurations.position, verdicts.configuration, verdicts.syncmode, verdicts.setting, verdicts.verdict

order by
    configurations.position,
    verdicts.configuration,
    array_position(['SYNC', 'NEARSYNC', 'ASYNC', 'SUPERASYNC', 'RCU'], verdicts.syncmode),
    main.natural_order(verdicts.setting),
    verdicts.verdict
