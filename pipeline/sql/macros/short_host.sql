-- Host name without its domain; an address stays whole.
create or replace macro short_host(host) as
    case
        when regexp_matches(host, '^[0-9.]+$') or contains(host, ':') then host
        when host = '' then null
        else split_part(host, '.', 1)
    end;
