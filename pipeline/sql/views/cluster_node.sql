-- One row per configuration and LLT node id: the host it stands for.
-- Read from HAD lines that print both (`System alder (Node '0')`), else from llthosts. CVMNodeId numbers are another series.
-- materialised: small, and read by every step of the failover analysis
-- columns:
--   configuration: folder group
--   node_id: LLT node id
--   node: host, short name as printed
with

printed as (

    select configuration, node_id, system as node, count(*) as line_count, 1 as rank

    from cluster_line

    where source = 'vcs' and node_id is not null and system is not null

    group by configuration, node_id, system

),

llthosts as (

    select
        applicable_file.configuration,
        case
            when regexp_matches(parameter_value.name, '^\d+$') then parameter_value.name
            else parameter_value.value
        end as node_id,
        short_host(
            case
                when regexp_matches(parameter_value.name, '^\d+$') then parameter_value.value
                else parameter_value.name
            end
        ) as node,
        applicable_file.distance

    from log.parameter_value as parameter_value

    inner join applicable_file
        on parameter_value.file_id = applicable_file.file_id

    where parameter_value.scope = 'llthosts'

),

candidates as (

    select configuration, node_id, node, line_count, rank from printed
    union all
    select configuration, try_cast(node_id as smallint), node, 1, 2 + distance from llthosts

)

select configuration, node_id, node

from candidates

where node_id is not null

qualify row_number() over (partition by configuration, node_id order by rank, line_count desc, node) = 1

order by configuration, node_id
