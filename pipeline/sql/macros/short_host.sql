-- Host name without its domain, where only one host of the study has that name; an address stays whole.
create or replace macro short_host(host) as
    case
        when regexp_matches(host, '^[0-9.]+$') or contains(host, ':') then host
        when host = '' then null
        when len(shared_hosts()) > 0 and list_contains(shared_hosts(), lower(split_part(host, '.', 1))) then host
        else split_part(host, '.', 1)
    end;
