-- A run in a sentence: its own name where that is a word (run03), else `run 3`.
create or replace macro run_text(run) as
    case when regexp_matches(run, '[A-Za-z]') then run else 'run ' || run end;
