-- The host that wrote a file of which nobody says who wrote it: a host of its own.
create or replace macro unknown_writer(path) as 'host of ' || path;
