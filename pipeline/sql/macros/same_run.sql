-- Whether study.toml's run ("3", "run03") is the run of a folder ("run03"): the same text, or the same single number.
create or replace macro same_run(recorded, found) as
    recorded = found
    or coalesce(
        try_cast(regexp_extract(recorded, '^\D*(\d{1,9})$', 1) as integer)
        = try_cast(regexp_extract(found, '^\D*(\d{1,9})\D*$', 1) as integer),
        false
    );
