-- One row per configuration that is compared, and the configuration that it is compared with: its reference, or a
-- proposed one. Proposed where no configuration has a reference: of several with a name like a reference's the first,
-- else the first in the order of tables. Configurations of which something was measured come before all others.
-- `milestone_change`, `measurement_ratio` and `parameter_change` have rows only where somebody named the reference.
-- Networks and disks that are planned with are no variants of one thing, so none is proposed among them.
-- materialised: small, and read by every comparison
-- columns:
--   reference: configuration that means are compared with; its own row is there too
--   reason: why it is the reference, in words
with

candidates as (

    select
        configuration_order.configuration,
        configuration_order.position,
        regexp_matches(
            lower(configuration_order.configuration),
            '(^|[^a-z0-9])(default|baseline|before|without|untuned|reference)([^a-z0-9]|$)'
        ) as has_word,
        declared.position is not null as is_declared,
        configuration_order.configuration in (
            select milestone.configuration from milestone
            union all
            select measurement.configuration from measurement
            union all
            select disk_load.configuration from disk_load
        ) as is_measured

    from configuration_order

    left join study.configuration as declared using (configuration)

    where
        configuration_order.configuration in (select run_unit.configuration from run_unit)
        and configuration_order.configuration not in (select simhadr_run.configuration from simhadr_run)
        and configuration_order.configuration not in (select disk_test.configuration from disk_test)
        and not exists (select 1 from configuration_order as any_order where any_order.reference is not null)

),

proposed as (

    select
        configuration as reference,
        case
            when has_word then 'the first of several with a name like a reference''s'
            when is_declared then 'the first in study.toml'
            else 'the first by name'
        end as reason

    from candidates

    order by is_measured desc, has_word desc, position

    limit 1

)

select
    position,
    configuration,
    reference,
    false as is_proposed,
    case reference_source
        when 'configuration' then 'study.toml names it for this configuration'
        when 'study' then 'study.toml names it'
        when 'option' then '--reference names it'
        when 'name' then 'the only one with a name like a reference''s'
    end as reason

from configuration_order

where reference is not null

union all

select
    candidates.position,
    candidates.configuration,
    proposed.reference,
    true,
    proposed.reason

from candidates

cross join proposed

where (select count(*) from candidates) > 1

order by position
