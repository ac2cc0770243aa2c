-- One row per configuration. How its data came about, as study.toml says.
-- Simulated and calibrated data show what was put into them: p values, intervals and verdicts of theirs find nothing.
-- columns:
--   origin: recorded, simulated, or calibrated (simulated so that published numbers come out); null: not said
--   origin_note: what was simulated and after what, in the study's words; null: not said
--   origin_source: what says it: configuration or study; null: nothing does
--   is_built_in: simulated or calibrated; false also where nothing is said
select
    configuration_order.position,
    configuration_order.configuration,
    coalesce(declared.origin, setting.origin) as origin,
    case
        when declared.origin_note is not null then declared.origin_note
        -- a note of the study is about data of the study's origin
        when declared.origin is null or declared.origin = setting.origin then setting.origin_note
    end as origin_note,
    case
        when declared.origin is not null or declared.origin_note is not null then 'configuration'
        when setting.origin is not null then 'study'
    end as origin_source,
    coalesce(coalesce(declared.origin, setting.origin) in ('simulated', 'calibrated'), false) as is_built_in

from configuration_order

left join study.configuration as declared using (configuration)

left join study.setting as setting
    on true

order by configuration_order.position
