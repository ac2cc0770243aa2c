-- A p value in a sentence.
create or replace macro chance_text(p) as
    case when p < 0.001 then 'p < 0.001' else format('p = {:.3f}', p::double) end;
