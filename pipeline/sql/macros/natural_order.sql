-- Text to sort by so that run2 comes before run10: every number padded with zeros to ten digits.
create or replace macro natural_order(name) as
    regexp_replace(regexp_replace(lower(name), '(\d+)', '0000000000\1', 'g'), '0*(\d{10})', '\1', 'g');
