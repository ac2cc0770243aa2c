-- The host that wrote a line: as the line names it, else the node of its file; a short name that several hosts have is the node's.
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
