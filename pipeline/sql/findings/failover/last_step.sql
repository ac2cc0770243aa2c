-- The recovery of one configuration ends with another step than that of others of the same stack.
-- severity: note
select
    here.configuration,
    format(
        'Recovery in `{}` is counted to `{}`, the last step that its logs show; that of {} is counted to `{}`, and is not compared with it.',
        here.configuration,
        here.headline,
        string_agg(format('`{}`', there.configuration), ', ' order by there.configuration),
        there.headline
    ) as text

from recovery as here

inner join recovery as there
    on here.headline <> there.headline

inner join (select milestone, min(stack) as stack, min(position) as position from study.milestone_rule group by milestone) as own
    on here.headline = own.milestone

inner join (select milestone, min(stack) as stack, min(position) as position from study.milestone_rule group by milestone) as other
    on there.headline = other.milestone and own.stack = other.stack and own.position < other.position

group by here.configuration, here.headline, there.headline
