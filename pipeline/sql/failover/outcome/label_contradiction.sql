-- One row per factor of a configuration (study.toml, or `peerinact=16` in a folder's name) that is the name of a timer
-- or parameter, and whose number none of the configuration's files states. Timers are compared in seconds. A parameter
-- is compared by its name or the last part of it, as printed; only numbers are compared.
-- columns:
--   factor: name of the factor
--   declared: its number
--   found: what the files state, distinct, separated by `, `
--   file_id: file that gives the first of them; null for a timer
with

timers as (

    unpivot (
        select
            configuration,
            case when not is_peerinact_assumed and not is_peerinact_inferred then peerinact_s::double end as peerinact,
            case when not is_peertrouble_assumed and not is_peertrouble_inferred then peertrouble_s::double end as peertrouble,
            case when not is_stable_assumed and not is_stable_inferred then stable_s::double end as stable_timeout,
            case when not is_deadtime_assumed then deadtime_s::double end as deadtime,
            case when not is_token_assumed and not is_token_inferred then token_s::double end as token

        from cluster_timer
    )
    on peerinact, peertrouble, stable_timeout, deadtime, token
    into name name value number

),

named as (

    select configuration, name as factor, number, null::integer as file_id, null::integer as line_no

    from timers

    union all

    select configuration, name || '_s', number, null, null

    from timers

    union all

    select configuration, lower(name), try_cast(value as double), file_id, line_no

    from parameter

    -- their units are not seconds: the timers above are
    where scope not in ('llttab', 'gabtab', 'ha.cf', 'corosync.conf')

    union all

    select configuration, lower(regexp_extract(name, '[^.]+$')), try_cast(value as double), file_id, line_no

    from parameter

    where contains(name, '.') and scope not in ('llttab', 'gabtab', 'ha.cf', 'corosync.conf', 'main.cf')

)

select
    configuration_factor.configuration,
    configuration_factor.factor,
    configuration_factor.number as declared,
    string_agg(distinct format('{:g}', named.number), ', ' order by format('{:g}', named.number)) as found,
    first(named.file_id order by named.file_id, named.line_no) as file_id,
    first(named.line_no order by named.file_id, named.line_no) as line_no

from configuration_factor

inner join named
    on configuration_factor.configuration = named.configuration and lower(configuration_factor.factor) = named.factor

where configuration_factor.number is not null and named.number is not null

group by configuration_factor.configuration, configuration_factor.factor, configuration_factor.number

having not bool_or(named.number = configuration_factor.number)

order by configuration_factor.configuration, configuration_factor.factor
