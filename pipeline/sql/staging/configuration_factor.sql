-- One row per configuration and factor: what distinguishes it from the others, for grouped figures and normalised
-- tables. From study.toml; else from folder names where they are plain: `queue_depth=128` names a factor and its
-- value, and where the names of all configurations are made of the same number of words that repeat (`nfs-default`,
-- `nfs-tuned`, `fcp-default`, `fcp-tuned`), each place is one.
-- columns:
--   factor: name of the factor; `factor 1`, `factor 2` for places in a name
--   value: value as text
--   number: value as number, where it is one
--   factor_source: study.toml or folder name
with

declared as (

    select
        configuration_order.configuration,
        unnest(json_keys(configuration_order.factors)) as factor,
        configuration_order.factors

    from configuration_order

    where configuration_order.factors is not null

),

by_study as (

    select
        configuration,
        factor,
        json_extract_string(factors, '$."' || replace(factor, '"', '\"') || '"') as value,
        'study.toml' as factor_source

    from declared

),

undeclared as (

    select distinct run_unit.configuration

    from run_unit

    left join by_study using (configuration)

    where by_study.configuration is null

),

pairs as (

    select
        configuration,
        unnest(regexp_extract_all(configuration, '(?:^|[/,; ])([A-Za-z_][\w.]*)=([^/,;= ]+)', 1)) as factor,
        unnest(regexp_extract_all(configuration, '(?:^|[/,; ])([A-Za-z_][\w.]*)=([^/,;= ]+)', 2)) as value

    from undeclared

),

words as (

    select configuration, regexp_split_to_array(configuration, '[-_/ ]+') as word_list

    from undeclared

    where not contains(configuration, '=')

),

grid as (

    select min(len(word_list)) as place_count, count(*) as configuration_count

    from words

    having min(len(word_list)) = max(len(word_list)) and min(len(word_list)) > 1 and count(*) > 2

),

placed as (

    select words.configuration, unnest(range(1, 1 + grid.place_count)) as place, unnest(words.word_list) as value

    from words

    cross join grid

),

informative as (  -- a word that all share shows nothing; words that never repeat are names, not values

    select place

    from placed

    group by place

    having count(distinct value) > 1 and count(distinct value) < count(*)

),

by_name as (

    select configuration, factor, value from pairs
    union all
    select
        placed.configuration,
        'factor ' || dense_rank() over (order by placed.place) as factor,
        placed.value

    from placed

    inner join informative using (place)

    -- every place must tell, else the names are no grid
    where (select count(*) from informative) = (select place_count from grid)

),

factors as (

    select configuration, factor, value, factor_source from by_study
    union all
    select configuration, factor, value, 'folder name' from by_name

)

select configuration, factor, value, try_cast(value as double) as number, factor_source

from factors

order by configuration, factor
