-- One row per incident and host whose client asked questions in its run.
-- columns:
--   node_key: host of the client, in small letters; null where the folder of its log names none
--   is_measured: a person compared its clock, and its stamps are put right: study.toml has its clock_offset_s
with

hosts as (

    select distinct
        incident.configuration,
        incident.unit_run,
        incident.run,
        lower(short_host(client_question.node)) as node_key

    from incident

    inner join client_question using (configuration, run)

)

select
    *,
    coalesce(
        node_key in (select lower(short_host(node)) from study.node where clock_offset_s is not null), false
    ) as is_measured

from hosts
