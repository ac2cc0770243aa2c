-- Whether a system's log line is one of those that an operating system starts with.
create or replace macro is_boot_text(line) as
    regexp_matches(line, 'Linux version \d|SunOS Release \d|AIX Version|Booting Linux|savecore: reboot');
