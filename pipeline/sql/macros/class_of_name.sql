-- Class of a resource of Pacemaker by the name that people give one of its kind: vip, p_fs_data, drbd_r0, pgsql, ClusterIP, st-node1.
create or replace macro class_of_name(resource) as
    case
        when regexp_matches(resource, '(?i)stonith|fenc(e|ing)|ipmi|(^|[^a-z])(st|sbd|ilo|drac)([^a-z]|$)') then 'fencing'
        when regexp_matches(resource, '(?i)drbd') then 'replication'
        when regexp_matches(resource, '(?i)(^|[^a-z])(v?ip|vips|ipv?[46]?_?addr(ess)?2?)([^a-z]|$)') or regexp_matches(resource, '[a-z](V?IP|Ip|Vip)([^a-z]|$)')
            then 'address'
        when regexp_matches(resource, '(?i)(^|[^a-z])(fs|mnt|mount)([^a-z]|$)|filesystem|file_system') or regexp_matches(resource, '[a-z]F[sS]([^a-z]|$)')
            then 'mount'
        when regexp_matches(resource, '(?i)(^|[^a-z])(lvm|vg|volgroup)') then 'application'
        when regexp_matches(resource, '(?i)db2|pgsql|postgres|mysql|maria|oracle|hana|sybase|informix|mssql|(^|[^a-z])(pg|db|database)([^a-z]|$)')
            then 'database'
        else 'application'
    end;
