-- What a message that is well known means, by its vendor's id or its words; null where it is not known.
create or replace macro message_meaning(message_id, words) as
    case
        -- VCS: the ids of its messages are the same in all releases and languages
        when message_id = 'V-16-1-10079' then 'The engine does not run on that system, while its links still work'
        when message_id = 'V-16-1-10111' then 'Only one private link is left: a further loss is not told from the loss of the node'
        when message_id = 'V-16-1-10113' then 'The engine of that system is not known to be alive, while its node is'
        when message_id = 'V-16-1-10205' then 'The service group faulted on that system'
        when message_id = 'V-16-1-10214' then 'A failover group is online on more than one system'
        when message_id = 'V-16-1-10303' then 'The resource faulted: its agent found it offline, or its start failed'
        when message_id = 'V-16-1-10322' then 'The cluster took the system for faulted'
        when message_id = 'V-16-1-10449' then 'The group may not start: the state of the system that had it is not known'
        when message_id = 'V-16-1-10600' then 'The engine of the cluster does not run on this host'
        when message_id = 'V-16-2-13011' then 'A resource did not stop in time'
        when message_id = 'V-16-2-13012' then 'A resource did not start in time'
        when message_id = 'V-16-2-13027' then 'The monitor of a resource did not answer in time'
        when regexp_full_match(message_id, 'V-16-2-1306[3-7]') then 'The agent cleans up a resource that failed'
        when message_id = 'V-16-2-13069' then 'The clean-up of a resource failed'
        when regexp_full_match(message_id, 'V-16-\d-15004|VCS:15004') then 'No script is there for a trigger: nothing failed'
        -- DB2
        when message_id = 'ADM1530E' then 'The database was not stopped in order; crash recovery begins'
        when message_id = 'ADM1531E' then 'Crash recovery is complete'
        when message_id = 'ADM1532E' then 'Crash recovery failed; the database is not available'
        when message_id in ('ADM1823E', 'SQL0964C', 'DIA8309C') then 'The transaction log is full'
        when message_id = 'ADM6017E' or regexp_matches(words, '\bSQL0289N\b') then 'The table space or its file system is full'
        when message_id = 'ADM12501W' or regexp_matches(words, '\bSQL1768N\b') then 'HADR could not start'
        when message_id = 'DIA8002C' or regexp_matches(words, '(?i)\bdeadlock\b') then 'Two transactions waited for each other; one was rolled back'
        when message_id in ('ADM5503E', 'DIA8310C') then 'The lock list is full: statements are refused'
        when regexp_matches(words, '\bSQL1220N\b') then 'Shared memory could not be allocated'
        when regexp_matches(words, '(?i)did not establish connection with standby within timeout') then 'The HADR primary found no standby in time and gave up its start'
        when regexp_matches(words, '(?i)crash recovery failed') then 'Crash recovery failed; the database is not available'
        when regexp_matches(words, 'HDR_ZRC_CONFIGURATION_ERROR|HADR_ZRC_CONFIG') then 'The two sides of HADR are configured differently'
        when regexp_matches(words, 'Did not hear anything from (?:the )?(?:HADR )?(?:primary|standby|peer)|HDR_ZRC_COMM_CLOSED|HDR_ZRC_TIMEOUT') then 'HADR lost its connection to the other side'
        when regexp_matches(words, '(?i)standby was not reached|did not reach the standby|HADR_ZRC_NO_STANDBY|HDR_ZRC_NO_STANDBY') then 'The HADR primary found no standby'
        when regexp_matches(words, '(?i)log chain mismatch|missing log') then 'The logs of the two sides do not follow from each other'
        -- operating system
        when regexp_matches(words, '(?i)out of memory|oom_kill|\boom[-_ ]kill|oom-killer|cannot allocate memory') then 'Memory ran out'
        when regexp_matches(words, '(?i)no space left on device|file ?system (?:is )?full|disk full|vx_nospace') then 'A file system is full'
        when regexp_matches(words, '(?i)read-only file ?system|remounting filesystem read-only') then 'A file system accepts no writes'
        when regexp_matches(words, '\bI/O error\b|(?i)medium error|scsi transport failed|scsi error|unrecovered read error') then 'A disk or the path to it failed'
        when regexp_matches(words, '(?i)kernel panic') then 'The operating system crashed'
        when regexp_matches(words, '(?i)segfault|segmentation fault|core dumped|signal 11\b|SIGSEGV') then 'A program crashed'
        when regexp_matches(words, '(?i)too many open files') then 'A program reached its limit of open files'
        when regexp_matches(words, '(?i)soft lockup|blocked for more than \d+ seconds|hung_task') then 'A processor or a task did not get on'
        when regexp_matches(words, '(?i)nfs: server \S+ not responding|^server \S+ not responding') then 'A file server does not answer'
        when regexp_matches(words, '(?i)name or service not known|could not resolve|temporary failure in name resolution|unknown host|host name \S+ unknown') then 'A host name could not be resolved'
        when regexp_matches(words, '(?i)no route to host|network is unreachable') then 'A host cannot be reached'
        when regexp_matches(words, '(?i)connection refused') then 'Nothing accepts connections at that address'
        when regexp_matches(words, '(?i)permission denied|access denied|password authentication failed|authentication failed') then 'Access was denied'
        when regexp_matches(words, '(?i)certificate (?:has )?expired|certificate verify failed') then 'A certificate is not accepted'
        -- PostgreSQL
        when regexp_matches(words, '(?i)the database system is (?:starting up|shutting down|in recovery mode|not yet accepting connections)') then 'A client was refused: the server starts or stops'
        when regexp_matches(words, '(?i)terminating connection due to administrator command|terminating walreceiver process due to administrator command')
            then 'The server closed its connections as it was told to stop'
        when regexp_matches(words, '(?i)replication slot "[^"]*" does not exist') then 'A replica asks for a replication slot that its leader does not have'
        when regexp_matches(words, '(?i)requested wal segment \S+ has already been removed|requested starting point \S+ (?:on timeline \d+ )?is (?:not in|ahead of)')
            then 'A replica cannot follow any more: the leader does not have the log that it needs'
        when regexp_matches(words, '(?i)during recovery$|read-only transaction') then 'A client asked a replica for what only a leader does'
        when regexp_matches(words, '(?i)remaining connection slots are reserved|too many clients already|too many connections') then 'No connection was left for a client'
        when regexp_matches(words, '(?i)could not receive data from WAL stream|could not connect to the primary server|connection to client lost') then 'A connection broke'
        -- MySQL, Galera
        when regexp_matches(words, '(?i)wsrep has not yet prepared node') then 'A client was refused: the node is not in the primary component'
        when regexp_matches(words, '(?i)inconsistency detected|inconsistent with group') then 'The node differs from its group and leaves it'
        -- cluster managers
        when regexp_matches(words, '(?i)split[- ]brain') then 'Both sides were active, and their data may differ'
        when regexp_matches(words, '(?i)(?:unable|failed|no way|could not) to (?:fence|stonith)|stonith[^.]*failed') then 'A node could not be fenced; what it held is not taken over'
        when regexp_matches(words, '(?i)no stonith resources have been defined') then 'Nothing can fence a node: the cluster starts no resources'
        when regexp_matches(words, '(?i)no quorum|quorum lost|without quorum') then 'The partition has no quorum and runs nothing'
        when regexp_matches(words, '(?i)both machines own our resources') then 'Both nodes held the resources'
    end;

-- A message without what differs between two that say the same: instants, numbers and long ids become #.
create or replace macro message_pattern(words) as
    regexp_replace(
        regexp_replace(
            words,
            '\d{4}-\d\d-\d\d[ T-]\d\d[:.]\d\d[:.]\d\d\S*|\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F-]{22,27}|\b0x[0-9a-fA-F]+\b|\b[0-9a-fA-F]{12,}\b',
            '#',
            'g'
        ),
        '(^|[\s=("''\[:,<>])[+-]?\d+(?:\.\d+)?(?:ms|us|s|KB|MB|kB|%)?\b',
        '\1#',
        'g'
    );

-- How grave a log calls a message, by its own word: 0 the system is unusable, 1 critical, 2 error; null below that and
-- where no word says so.
create or replace macro severity_rank(word) as
    case
        when regexp_full_match(word, '(?i)emerg(ency)?|alert|panic') then 0
        when regexp_full_match(word, '(?i)crit(ical)?|fatal( error)?|severe') then 1
        when regexp_full_match(word, '(?i)err(or)?') then 2
    end;

-- The word by which a text calls itself an error, where its line prints no severity: [ERROR] ..., FATAL: ..., error:
-- ... Null where none does.
create or replace macro severity_word(words) as
    coalesce(
        -- ADAPTED: 2024-03-01 10:00:00 0 [ERROR] WSREP: ...        <Error> text
        nullif(regexp_extract(words, '^(?:[^\s\[<]+\s+){0,6}[\[<]\s*((?i:emerg|alert|panic|crit|critical|fatal|severe|err|error))\s*[\]>]', 1), ''),
        -- ADAPTED: ERROR: text        FATAL:  text        process: ERROR: text
        nullif(regexp_extract(words, '^(?:\S+ ){0,2}(EMERG|ALERT|PANIC|CRIT|CRITICAL|FATAL|SEVERE|ERROR)\b ?[:|]', 1), ''),
        -- ADAPTED: error: text        mount: fatal error: text
        nullif(regexp_extract(words, '^(?:[^:\s]+: )?((?i:fatal error|fatal|error|critical|panic)): ', 1), ''),
        case
            -- ADAPTED: Kernel panic - not syncing: VFS
            when regexp_matches(words, '\b[Kk]ernel panic\b') then 'panic'
            -- ADAPTED: Buffer I/O error on dev sdb, logical block 0        EXT4-fs error (device sdb1): ext4_find_entry
            when regexp_matches(words, '\bI/O error\b|^(?:EXT\d|XFS|BTRFS|JBD\d)\S* ?(?:\([^)]*\): )?(?:[Ee]rror|ERROR)\b') then 'error'
        end
    );

-- Whether a line of a system's log is one that an operating system starts with: of its kernel, or of savecore. Any
-- program may print the name of a system; `tag` is the program that wrote the line, null where the log names none.
create or replace macro is_boot_text(line, tag) as
    (tag is null or lower(tag) in ('kernel', 'kern', 'genunix', 'unix', 'vmunix', 'savecore'))
    and regexp_matches(line, 'Linux version \d|SunOS Release \d|AIX Version|Booting Linux|savecore: reboot');

-- Whether a system's log line tells of a panic that would be, or of a race for the fencing that was won.
create or replace macro is_panic_setting(line) as regexp_matches(line, '(?i)panic_?on|panic=|kernel\.panic|won the');

-- Whether a system's log line says that its node panics or is thrown out of the cluster. A database may panic as well:
-- that is no node. `tag` is the program that wrote the line, null where the log names none.
create or replace macro is_panic_text(line, tag) as
    (
        regexp_matches(line, '(?i)halting system due to|ejected from cluster|lost the (?:fencing )?race')
        or (
            regexp_matches(line, '(?i)\bpanic')
            and (
                tag is null
                or lower(tag) in ('kernel', 'kern', 'genunix', 'unix', 'vmunix', 'savecore', 'gab', 'llt', 'vxfen', 'had')
            )
        )
    )
    and not is_panic_setting(line);

-- Class of a resource of Pacemaker by the name that people give one of its kind: vip, p_fs_data, drbd_r0, pgsql,
-- ClusterIP, st-node1.
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
