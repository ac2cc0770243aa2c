-- One row per line by which the nemesis of a test says what it does, or what came of it. Times in UTC.
select
    configuration,
    run,
    f,
    value,
    "at",
    file_id,
    line_no

from test_operation

where process = 'nemesis' and "at" is not null and run is not null
