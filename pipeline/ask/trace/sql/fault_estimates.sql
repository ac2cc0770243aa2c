-- One row per run and source that shows the time of its fault, and one of what is used: all of them together, or the
-- recorded time. That one first.
with

single as (

    select
        run,
        source,
        low_at,
        middle_at,
        high_at,
        width_s,
        [source] as sources,
        source as low_source,
        source as high_source,
        is_assumed,
        is_inferred,
        is_consistent,
        file_id,
        line_no,
        source = 'manifest' as is_chosen,
        rank

    from fault_estimate

    where configuration = $configuration and list_contains($runs, run)

),

together as (

    select
        fault_time.run,
        fault_time.source,
        fault_time.low_at,
        fault_time.middle_at,
        fault_time.high_at,
        fault_time.width_s,
        fault_time.sources,
        fault_time.low_source,
        fault_time.high_source,
        fault_time.is_assumed,
        fault_time.is_inferred,
        fault_time.is_consistent,
        fault_time.file_id,
        fault_time.line_no,
        true as is_chosen,
        0 as rank

    from fault_time

    where
        fault_time.configuration = $configuration
        and list_contains($runs, fault_time.run)
        and not exists (select 1 from single where single.run = fault_time.run and single.source = 'manifest')

)

select * from single
union all by name
select * from together

order by run, is_chosen desc, rank
