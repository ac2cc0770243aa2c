-- Probability that a normal value lies above z.
create or replace macro normal_tail(z) as
    case when z >= 0 then exp(normal_ln_tail(abs(z))) else 1 - exp(normal_ln_tail(abs(z))) end;
