-- Whether an instant lies in a stretch of time: from its start, before its end; a bound that is null bounds nothing.
create or replace macro is_within(instant, start_at, end_at) as
    (start_at is null or instant >= start_at) and (end_at is null or instant < end_at);
