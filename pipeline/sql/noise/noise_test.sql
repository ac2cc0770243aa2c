-- One row per test of noise: whether the runs of a sample, of a configuration, or of the study vary otherwise than chance lets them.
-- A study without noise gets any notice with a probability of at most 8 %, however many configurations and samples it has: modes have 1 % of it
-- (half of it for single samples, of which the headlines have a half, half for items over all configurations), a first run that differs and autocorrelation 3 % each, drift 0.5 %. Of the latter three, the
-- mean over all configurations has six tenths, the configurations the rest, after Holm. A study of one configuration has 4.5 % for the
-- first run and 2 % for autocorrelation. docs/decisions/0020-noise.md has the simulation.
-- materialised: small, and slow to plan
-- empty without rows of: mode_split, order_test
-- from: order_test by subject, item, unit, label, clients, configuration; of rho; when scope is sample
-- columns:
--   test: mode_split, first_run, autocorrelation, drift
--   scope: sample, item (over all configurations), configuration (mean over the samples of its headline), study (over all configurations)
--   subject: milestone, phase or measurement; null above a sample
--   item: milestone, phase or metric; null above a sample
--   unit: unit; null above a sample
--   label: what was measured; null above a sample
--   clients: clients at work; null above a sample
--   configuration: folder group; null for an item and for the study
--   tests: tests that the p value is corrected for
--   z: the deviation as a normal value; null for modes
--   p_value: raw p value; two-sided for drift, and for a first run where slow is unknown
--   p_holm: after Holm's correction over the tests of its kind and scope
--   level: what p_holm is held against
--   is_noticed: p_holm is below the level
with

levels as (

    select * from (values ('first_run', 0.03, 0.045), ('autocorrelation', 0.03, 0.02), ('drift', 0.005, 0.005))
        as levels (test, level, level_alone)

),

splits as (

    select
        'mode_split' as test,
        'sample' as scope,
        subject, item, unit, label, clients, configuration,
        null::double as z,
        p_value,
        is_headline,
        case when count(distinct configuration) over () > 1 then 0.005 else 0.01 end
        / count(distinct is_headline) over () as level

    from mode_split

),

items as (  -- Fisher: the sum of the logarithms over the configurations

    select
        subject, item, unit, label, clients,
        count(*) as configurations,
        -fsum(ln(greatest(p_value, 1e-300)) order by p_value) as ln_sum

    from splits

    group by subject, item, unit, label, clients

    having count(*) > 1

),

item_tails as (

    select
        items.subject, items.item, items.unit, items.label, items.clients,
        least(1, fsum(exp(
            case when terms.j = 0 then 0 else terms.j * ln(greatest(items.ln_sum, 1e-300)) end
            - items.ln_sum - lgamma(terms.j + 1)
        ) order by terms.j)) as p_value

    from items

    inner join range(0, (select max(configurations) from items)) as terms (j)
        on items.configurations > terms.j

    group by items.subject, items.item, items.unit, items.label, items.clients

),

oriented as (

    select
        tests.test,
        order_test.item, order_test.unit, order_test.label, order_test.clients, order_test.configuration,
        case tests.test
            when 'first_run' then case when slow_sign is null then abs(first_z) else first_z end
            when 'autocorrelation' then autocorrelation_z
            else coalesce(slow_sign, 1) * drift_z
        end as z,
        tests.test = 'drift' or (tests.test = 'first_run' and slow_sign is null) as is_two_sided

    from order_test

    cross join levels as tests

),

configurations as (

    select test, configuration, avg(z order by z) as z, bool_or(is_two_sided) as is_two_sided

    from oriented

    where z is not null

    group by test, configuration

),

scopes as (

    select
        configurations.test,
        'configuration' as scope,
        configurations.configuration,
        z,
        case when is_two_sided then least(1, 2 * normal_tail(abs(z))) else normal_tail(z) end as p_value,
        case when count(*) over (partition by configurations.test) > 1 then 0.4 * levels.level else levels.level_alone end as level

    from configurations

    inner join levels using (test)

    union all

    select
        configurations.test,
        'study',
        null,
        sum(z order by z) / sqrt(count(*)),
        case
            when configurations.test = 'drift' then least(1, 2 * normal_tail(abs(sum(z order by z) / sqrt(count(*)))))
            else normal_tail(sum(z order by z) / sqrt(count(*)))
        end,
        0.6 * any_value(levels.level)

    from configurations

    inner join levels using (test)

    where not is_two_sided or configurations.test = 'drift'

    group by configurations.test

    having count(*) > 1

),

tests as (

    select * from splits
    union all by name
    select 'mode_split' as test, 'item' as scope, *, 0.005 as level from item_tails
    union all by name
    select * from scopes

),

ranked as (

    select
        *,
        count(*) over (partition by test, scope, is_headline) as tests,
        row_number() over (
            partition by test, scope, is_headline order by p_value, subject, item, unit, label, clients, configuration
        ) as rank

    from tests

),

corrected as (

    select
        *,
        max(least(1, (tests - rank + 1) * p_value)) over (
            partition by test, scope, is_headline order by rank rows unbounded preceding
        ) as p_holm

    from ranked

)

select
    test, scope, subject, item, unit, label, clients, configuration, tests::integer as tests, z, p_value, p_holm, level,
    p_holm < level as is_noticed

from corrected

order by test, scope, p_value, subject, item, unit, label, clients, configuration
