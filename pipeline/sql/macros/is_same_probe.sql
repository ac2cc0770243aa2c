-- Whether rows are of one run and of the same probe of a client.
create or replace macro is_same_probe(one, other) as
    one.configuration = other.configuration
    and one.run = other.run
    and one.node is not distinct from other.node
    and one.target is not distinct from other.target;
