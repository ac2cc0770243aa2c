-- One row per milestone that a rule knows: its place and its headings.
-- columns:
--   position: place among all, from 1
--   milestone: milestone
--   label: heading of a column
--   spanner: heading above several columns
--   stack: cluster stack, or study
select
    min(position) as position,
    milestone,
    first(label order by position, evidence) as label,
    first(spanner order by position, evidence) as spanner,
    first(stack order by position, evidence) as stack

from study.milestone_rule

group by milestone

order by position
