-- One row per run of a statement of the study, put where it is named.
select
    own.configuration,
    own.run,
    max(run.run_no) as run_no,
    favg(own.value order by own.value) as value

from (
    values_of_the_study
) as own

left join run
    on own.configuration = run.configuration and own.run = run.run

where own.value is not null

group by own.configuration, own.run

order by own.configuration, run_no nulls last, own.run
