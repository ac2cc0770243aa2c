-- How grave a log calls a message, by its own word: 0 the system is unusable, 1 critical, 2 error; null below that and where no word says so.
create or replace macro severity_rank(word) as
    case
        when regexp_full_match(word, '(?i)emerg(ency)?|alert|panic') then 0
        when regexp_full_match(word, '(?i)crit(ical)?|fatal( error)?|severe') then 1
        when regexp_full_match(word, '(?i)err(or)?') then 2
    end;
