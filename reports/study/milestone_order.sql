-- One row per milestone that a rule knows, in the order of the columns.
select
    milestone,
    label,
    spanner,
    phrase,
    ends_recovery

from main.milestone_order

order by position, milestone
