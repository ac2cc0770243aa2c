-- Whether an instant in a configuration lies in a stretch of `run_hour` that has no hours.
create or replace macro is_in_long_run(place, instant, stretch) as
    stretch.configuration = place and stretch.hour is null and is_within(instant, stretch.start_at, stretch.end_at);
