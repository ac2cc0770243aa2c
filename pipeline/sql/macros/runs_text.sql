-- Runs in a sentence, of which a list of `run_text` is in order: all of a few, else the first and how many more.
create or replace macro runs_text(texts) as
    case
        when len(texts) <= 4 then array_to_string(texts, ', ')
        else format('{} and {} more', array_to_string(texts[:3], ', '), len(texts) - 3)
    end;
