-- One row per configuration that some file belongs to or names as that of its measurements. Its place in tables, its
-- label and its reference. Order: as in study.toml; configurations that are not named there follow, references first,
-- then by name with numbers as numbers.
-- materialised: small, and read by every comparison
-- columns:
--   position: place in tables, from 1
--   label: name to print
--   reference: configuration that ratios are taken against; null if none is known
--   reference_source: what named the reference: option (--reference), configuration, study, name, or null
--   is_reference: is its own reference
--   factors: factors from study.toml, JSON text
with

found as (

    select configuration from source_file where configuration is not null and status = 'parsed'
    union
    select configuration from run_unit

),

with_runs as (

    select distinct configuration from run_unit

),

by_word as (

    select found.configuration, with_runs.configuration is not null as has_runs

    from found

    left join with_runs using (configuration)

    where
        regexp_matches(
            lower(found.configuration), '(^|[^a-z0-9])(default|baseline|before|without|untuned|reference)([^a-z0-9]|$)'
        )

    -- folders of configuration files alone count where no folder with runs has such a name
    qualify has_runs = bool_or(has_runs) over ()

),

by_name as (  -- the only configuration whose name holds such a word

    select min(configuration) as reference from by_word having count(*) = 1

),

named_as_reference as (

    select distinct reference from study.configuration where reference is not null

),

chosen as (

    select
        found.configuration,
        declared.position as declared_position,
        coalesce(nullif(declared.label, ''), found.configuration) as label,
        declared.factors,
        case
            when setting.reference_option is not null then 'option'
            when declared.reference is not null then 'configuration'
            when setting.reference is not null then 'study'
            when named_as_reference.reference is not null then 'configuration'
            when by_name.reference is not null then 'name'
        end as reference_source,
        coalesce(
            setting.reference_option,
            declared.reference,
            setting.reference,
            -- what others are compared with is its own reference
            named_as_reference.reference,
            by_name.reference
        ) as reference

    from found

    left join study.configuration as declared using (configuration)

    left join named_as_reference
        on found.configuration = named_as_reference.reference

    left join by_name
        on true

    left join study.setting as setting
        on true

)

select
    row_number() over (
        order by declared_position nulls last, reference is distinct from configuration, natural_order(configuration),
            configuration
    )::integer as position,
    configuration,
    label,
    reference,
    case when reference is not null then reference_source end as reference_source,
    reference is not distinct from configuration as is_reference,
    factors

from chosen

order by position
