-- Whether a system's log line says that its node panics or is thrown out of the cluster.
create or replace macro is_panic_text(line) as
    regexp_matches(line, '(?i)\bpanic|halting system due to|ejected from cluster|lost the (?:fencing )?race')
    and not is_panic_setting(line);
