-- Whether rows are of the same thing that was measured: a milestone, a phase, or a metric of one load.
create or replace macro is_same_item(one, other) as
    one.subject = other.subject
    and one.item = other.item
    and one.unit is not distinct from other.unit
    and one.label is not distinct from other.label
    and one.clients is not distinct from other.clients;
