-- How fine the stamp of one line is, seconds: in a file of coarse and fine stamps a whole second or millisecond is one.
create or replace macro line_resolution(instant, resolution_s, whole_milli_s, whole_second_s) as
    case
        when epoch_us(instant) % 1000000 = 0 then whole_second_s
        when epoch_us(instant) % 1000 = 0 then whole_milli_s
        else resolution_s
    end;
