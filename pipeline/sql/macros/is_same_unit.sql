-- Whether rows are of one unit: a run folder of a configuration, or its files in none.
create or replace macro is_same_unit(one, other) as
    one.configuration = other.configuration and one.unit_run is not distinct from other.unit_run;
