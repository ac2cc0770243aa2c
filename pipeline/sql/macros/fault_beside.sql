-- The time of a fault within an hour of what was measured from first_at to last_at, else null: seconds after a fault on another day say nothing.
create or replace macro fault_beside(fault_at, first_at, last_at) as
    case when fault_at between first_at - interval 1 hour and last_at + interval 1 hour then fault_at end;
