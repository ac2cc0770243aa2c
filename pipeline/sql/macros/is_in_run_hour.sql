-- Whether an instant in a configuration lies in a stretch of `run_hour`, and in this hour of it.
create or replace macro is_in_run_hour(place, instant, stretch) as
    is_in_range(place, instant, stretch) and stretch.hour = time_bucket(interval 1 hour, instant);
