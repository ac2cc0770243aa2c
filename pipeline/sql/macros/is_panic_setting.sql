-- Whether a system's log line tells of a panic that would be, or of a race for the fencing that was won.
create or replace macro is_panic_setting(line) as regexp_matches(line, '(?i)panic_?on|panic=|kernel\.panic|won the');
