-- The word by which a text calls itself an error, where its line prints no severity: [ERROR] ..., FATAL: ..., error: ... Null where none does.
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
