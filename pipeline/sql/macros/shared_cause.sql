-- The cause of a common error that all rows of a group have; null where one of them has none or another.
create or replace macro shared_cause(cause) as
    case when count(distinct cause) = 1 and bool_and(cause is not null) then min(cause) end;
