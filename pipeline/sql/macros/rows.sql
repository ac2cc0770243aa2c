-- A line that decided a finding: of which run, of which step or metric (null: of the run itself), and where it is.
create or replace macro decisive_line(configuration, run, item, file_id, line_no) as
    {'configuration': configuration, 'run': run, 'item': item, 'file_id': file_id, 'line_no': line_no};

-- Whether rows are of the same thing that was measured: a milestone, a phase, or a metric of one load.
create or replace macro is_same_item(one, other) as
    one.subject = other.subject
    and one.item = other.item
    and one.unit is not distinct from other.unit
    and one.label is not distinct from other.label
    and one.clients is not distinct from other.clients;

-- Whether rows are of one run and of the same probe of a client.
create or replace macro is_same_probe(one, other) as
    one.configuration = other.configuration
    and one.run = other.run
    and one.node is not distinct from other.node
    and one.target is not distinct from other.target;

-- Whether rows are of one unit: a run folder of a configuration, or its files in none.
create or replace macro is_same_unit(one, other) as
    one.configuration = other.configuration and one.unit_run is not distinct from other.unit_run;

-- Whether study.toml's run ("3", "run03") is the run of a folder ("run03"): the same text, or the same single number.
create or replace macro same_run(recorded, found) as
    recorded = found
    or coalesce(
        try_cast(regexp_extract(recorded, '^\D*(\d{1,9})$', 1) as integer)
        = try_cast(regexp_extract(found, '^\D*(\d{1,9})\D*$', 1) as integer),
        false
    );
