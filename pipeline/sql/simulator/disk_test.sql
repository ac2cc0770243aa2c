-- One row per disk test of simhadr (-write, -read; -testDisk of 2008). MB are 10^6 bytes, pages 4096 bytes.
-- columns:
--   run: run of the study; where none is given, tests of one kind and size are counted from 1
--   op: write or read
--   pages: pages per call
--   calls: writes or reads
--   seconds: length of the test, seconds
--   sec_per_call: seconds per write or read
--   cached: went through the cache of the file system; null where the output does not say
--   test_file: file that was written or read
--   folder: its folder: tests of different folders may be of different disks; empty where the file is not known
--   is_verbose: -verbose slows a test down
--   file: path of the output
--   line_no: line of the result
with

tests as (

    select
        *,
        case when role = 'read' then 'read' else 'write' end as op,
        coalesce(regexp_extract(test_file, '^(.*)[/\\][^/\\]*$', 1), '') as folder

    from simhadr_record

    where role in ('write', 'read', 'test_disk')

)

select
    run_id,
    configuration,
    coalesce(
        folder_run,
        row_number() over (
            partition by configuration, folder_run, op, flush_pages, cached, folder order by file, line_no
        )::varchar
    ) as run,
    op,
    flush_pages as pages,
    calls,
    seconds,
    sec_per_call,
    mb_s,
    cached,
    test_file,
    folder,
    node,
    is_verbose,
    status,
    error,
    file,
    file_id,
    line_no

from tests

order by run_id
