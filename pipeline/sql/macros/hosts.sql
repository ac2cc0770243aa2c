-- Short names that hosts of several sites have, in small letters. An ingest puts those of its study here.
create or replace macro shared_hosts() as []::varchar[];

-- Host name without its domain, where only one host of the study has that name; an address stays whole.
create or replace macro short_host(host) as
    case
        when regexp_matches(host, '^[0-9.]+$') or contains(host, ':') then host
        when host = '' then null
        when len(shared_hosts()) > 0 and list_contains(shared_hosts(), lower(split_part(host, '.', 1))) then host
        else split_part(host, '.', 1)
    end;

-- The host that wrote a line: as the line names it, else the node of its file; a short name that several hosts have is
-- the node's.
create or replace macro writer_host(host, node) as
    case
        when host is null then short_host(node)
        when
            len(shared_hosts()) > 0
            and list_contains(shared_hosts(), lower(host))
            and lower(split_part(node, '.', 1)) = lower(host)
            then node
        else short_host(host)
    end;

-- The host that wrote a file of which nobody says who wrote it: a host of its own.
create or replace macro unknown_writer(path) as 'host of ' || path;
