-- The hours that a stretch of time touches, by their begin: lines find the stretches they may lie in by an equal hour. None where a bound is null.
create or replace macro hours_between(start_at, end_at) as
    generate_series(time_bucket(interval 1 hour, start_at), end_at, interval 1 hour);
