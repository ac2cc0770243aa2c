-- A `[[files]]`, `[[format]]` or `[[milestone]]` of study.toml matched nothing.
-- severity: warning
with

fruitless as (  -- formats of the study's own whose files have no record

    select file_rule.name

    from study.file_rule as file_rule

    inner join source_file
        on file_rule.kind = 'format' and file_rule.name = source_file.format

    group by file_rule.name

    having coalesce(sum(source_file.rows), 0) = 0

),

steps as (  -- milestones of the study's own

    select distinct milestone

    from study.milestone_rule

    where is_user

)

select format('study.toml: [[{}]] match = "{}" applies to no file of the study.', kind, pattern) as text

from study.file_rule

where files = 0

union all

select format('study.toml: [[format]] {} matched no line of its files: see begins and stamp.', name) from fruitless

union all

select
    format(
        'study.toml: [[milestone]] {} matched no line{}.',
        milestone,
        case
            when exists (select 1 from run where fault_at is not null) then ' within a run after its fault'
            else ', as no run has a fault time: declare [[run]] fault_at'
        end
    )

from steps

where milestone not in (select milestone from milestone)
