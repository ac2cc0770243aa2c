-- The time of a fault within an hour of what was measured from first_at to last_at, else null: seconds after a fault
-- on another day say nothing.
create or replace macro fault_beside(fault_at, first_at, last_at) as
    case when fault_at between first_at - interval 1 hour and last_at + interval 1 hour then fault_at end;

-- The hours that a stretch of time touches, by their begin: lines find the stretches they may lie in by an equal hour.
-- None where a bound is null.
create or replace macro hours_between(start_at, end_at) as
    generate_series(time_bucket(interval 1 hour, start_at), end_at, interval 1 hour);

-- Whether an instant lies in a stretch of time: from its start, before its end; a bound that is null bounds nothing.
create or replace macro is_within(instant, start_at, end_at) as
    (start_at is null or instant >= start_at) and (end_at is null or instant < end_at);

-- Whether an instant in a configuration lies in a stretch of `run_hour` that has no hours.
create or replace macro is_in_long_run(place, instant, stretch) as
    stretch.configuration = place and stretch.hour is null and is_within(instant, stretch.start_at, stretch.end_at);

-- Whether an instant in a configuration lies in a stretch of `run_range`.
create or replace macro is_in_range(place, instant, stretch) as
    stretch.configuration = place and instant >= stretch.start_at and instant < stretch.end_at;

-- Whether an instant in a configuration lies in a stretch of `run_hour`, and in this hour of it.
create or replace macro is_in_run_hour(place, instant, stretch) as
    is_in_range(place, instant, stretch) and stretch.hour = time_bucket(interval 1 hour, instant);

-- How fine the stamp of one line is, seconds: in a file of coarse and fine stamps a whole second or millisecond is one.
create or replace macro line_resolution(instant, resolution_s, whole_milli_s, whole_second_s) as
    case
        when epoch_us(instant) % 1000000 = 0 then whole_second_s
        when epoch_us(instant) % 1000 = 0 then whole_milli_s
        else resolution_s
    end;
