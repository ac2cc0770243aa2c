-- One row per configuration and step that a run must show to have recovered: the steps that mean service, by `ends_recovery` of the rules.
-- They are those of the least number that a run of the configuration shows, that must follow on a step that a run shows, or whose resource the
-- cluster's configuration declares while the logs do show resources coming online. Of steps that only stand for service the last by place counts.
-- The headline is the last by place of those that a run shows. Planned take-overs have no say where the configuration has others.
-- materialised: read by every outcome
-- rows by: configuration
-- empty without rows of: incident
-- columns:
--   milestone: step
--   position: its place among all milestones
--   ends_recovery: as the rule has it; 4 for a step of study.toml that does not say
--   is_headline: the step that time to recovery is counted to
--   is_shown: some run shows it
--   begun_by: step after which it must follow
with

rules as (

    select
        milestone,
        min(position) as position,
        coalesce(min(ends_recovery), case when bool_or(is_user and stack = 'study') then 4 end) as ends_recovery,
        min(begun_by) as begun_by,
        first(source order by evidence, source) as source,
        flatten(list(resource_types)) as resource_types,
        flatten(list(resource_classes)) as resource_classes

    from study.milestone_rule

    group by milestone

    having coalesce(min(ends_recovery), case when bool_or(is_user and stack = 'study') then 4 end) >= 0

),

considered as (

    select configuration, run

    from incident

    where not is_extra

    qualify not is_planned or bool_and(is_planned) over (partition by configuration)

),

shown as (

    select milestone.configuration, milestone.milestone

    from milestone

    inner join considered using (configuration, run)

    group by milestone.configuration, milestone.milestone

),

online_sources as (  -- logs that show that resources come online

    select distinct configuration, source

    from cluster_line

    where kind in ('initiate_online', 'resource_online', 'operation_start', 'operation_done')

),

declared as (

    select resource_type.configuration, rules.milestone

    from rules

    inner join resource_type
        on list_contains(rules.resource_types, resource_type.resource_type)

    inner join online_sources using (configuration, source)

    where rules.ends_recovery = 1

    union

    select crm_resource.configuration, rules.milestone

    from rules

    inner join crm_resource
        on crm_resource.object_class = 'database' and list_contains(rules.resource_classes, crm_resource.object_class)

    inner join online_sources using (configuration, source)

    where rules.ends_recovery = 1

),

wanted as (

    select configuration, milestone from shown
    union
    select configuration, milestone from declared where configuration in (select considered.configuration from considered)
    union
    select shown.configuration, rules.milestone

    from rules

    inner join shown
        on rules.begun_by = shown.milestone

),

ranked as (

    select
        wanted.configuration,
        wanted.milestone,
        rules.position,
        rules.ends_recovery,
        rules.begun_by,
        shown.milestone is not null as is_shown

    from wanted

    inner join rules using (milestone)

    left join shown using (configuration, milestone)

    qualify rules.ends_recovery = min(rules.ends_recovery) over (partition by wanted.configuration)

)

select
    configuration,
    milestone,
    position,
    ends_recovery,
    row_number() over (partition by configuration order by is_shown desc, position desc) = 1 as is_headline,
    is_shown,
    begun_by

from ranked

qualify
    ends_recovery <= 1
    or row_number() over (partition by configuration order by is_shown desc, position desc) = 1

order by configuration, position
