-- Whether a system's log line says that its node panics or is thrown out of the cluster. A database may panic as well: that is no node.
-- `tag` is the program that wrote the line, null where the log names none.
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
