-- One row per milestone that a rule knows: its place, its headings, and how a sentence names it.
-- columns:
--   position: place among all, from 1
--   label: heading of a column
--   spanner: heading above several columns
--   phrase: the milestone in a sentence: `the database is started`
--   ends_recovery: whether the service is back then, by the rules
--   stack: cluster stack, or study
select
    min(position) as position,
    milestone,
    first(label order by position, evidence, stack) as label,
    first(spanner order by position, evidence, stack) as spanner,
    first(phrase order by position, evidence, stack) as phrase,
    coalesce(bool_or(ends_recovery in (0, 1)), false) as ends_recovery,
    first(stack order by position, evidence, stack) as stack

from study.milestone_rule

group by milestone

order by position
