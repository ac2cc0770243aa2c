-- Whether a line of a system's log is one that an operating system starts with: of its kernel, or of savecore. Any program may print the name
-- of a system; `tag` is the program that wrote the line, null where the log names none.
create or replace macro is_boot_text(line, tag) as
    (tag is null or lower(tag) in ('kernel', 'kern', 'genunix', 'unix', 'vmunix', 'savecore'))
    and regexp_matches(line, 'Linux version \d|SunOS Release \d|AIX Version|Booting Linux|savecore: reboot');
