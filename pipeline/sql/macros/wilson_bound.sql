-- An end of Wilson's 95 % interval of a share (E. B. Wilson 1927): the lower one for sign -1, the upper one for 1.
-- Rounding may leave a share of 0 or 1 outside of its interval.
create or replace macro wilson_bound(recovered, runs, sign) as
    case
        when recovered = case when sign < 0 then 0 else runs end then (1 + sign) // 2
        else (
            recovered / runs + 1.959963984540054 ^ 2 / (2 * runs)
            + sign * 1.959963984540054
            * sqrt(recovered / runs * (1 - recovered / runs) / runs + 1.959963984540054 ^ 2 / (4 * runs ^ 2))
        ) / (1 + 1.959963984540054 ^ 2 / runs)
    end;
