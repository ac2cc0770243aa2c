-- Whether an instant in a configuration lies in a stretch of `run_range`.
create or replace macro is_in_range(place, instant, stretch) as
    stretch.configuration = place and instant >= stretch.start_at and instant < stretch.end_at;
