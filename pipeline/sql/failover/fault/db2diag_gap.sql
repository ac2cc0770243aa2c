-- One row per place where a db2diag.log is not as DB2 wrote it, by the offsets and lengths that its records state.
-- A record begins one byte, the empty line, behind the end of the one before it. Records of V8.1 state neither.
-- columns:
--   run: run folder; null where the file lies above the runs
--   path: file, relative to the study
--   severity: warning (records or parts of them are not there, or not as written) or note
--   kind: missing (bytes between two records), beginning (bytes before the first), truncated (bytes of the last
--     record), recid_mismatch (a record is longer or shorter than it states), restart (another log begins),
--     repeated (a record is there twice), out_of_order (offsets go back), line_ends (LF was turned into CR LF)
--   missing_bytes: bytes that DB2 wrote and the file lacks; negative: bytes that were added; null where unknown
--   after_line_no: last line before the place; null at the beginning of the file
--   record_offset: offset that the record at the place states
--   text: the doubt in a sentence
--   line_no: line at the place
with

files as (

    select
        file_id,
        configuration,
        run,
        node,
        path,
        bytes,
        lines,
        coalesce(rejected_lines, 0) + coalesce(ignored_lines, 0) as other_lines,
        -- the parser counts bytes of UTF-8; in these encodings each character was one byte
        encoding in ('cp1252', 'latin-1', 'iso8859-1') as is_single_byte

    from source_file

    where format in ('db2diag', 'db2_nfy') and status = 'parsed'

),

records as (

    select
        files.file_id,
        db2diag_record.line_no,
        db2diag_record.local_at,
        db2diag_record.line_no + db2diag_record.line_count - 1 as last_line_no,
        db2diag_record.line_count,
        db2diag_record.record_offset,
        db2diag_record.record_length,
        db2diag_record.record_offset + db2diag_record.record_length + 1 as next_offset,
        db2diag_record.platform,
        db2diag_record.byte_count,
        db2diag_record.character_count,
        case
            when files.is_single_byte then db2diag_record.character_count
            else db2diag_record.byte_count
        end as read_bytes,
        lag(db2diag_record.line_no) over by_line as previous_line_no,
        lead(db2diag_record.line_no) over by_line as following_line_no

    from log.db2diag_record as db2diag_record

    inner join files using (file_id)

    window by_line as (partition by db2diag_record.file_id order by db2diag_record.line_no)

),

in_sequence as (  -- each record with the one before it

    select
        *,
        lag(record_offset) over by_line as previous_offset,
        lag(record_length) over by_line as previous_length,
        lag(local_at) over by_line as previous_at,
        lag(next_offset) over by_line as expected_offset,
        lag(last_line_no) over by_line as after_line_no

    from records

    window by_line as (partition by file_id order by line_no)

),

places as (

    select
        file_id,
        line_no,
        after_line_no,
        record_offset,
        case
            when record_offset > expected_offset then 'missing'
            when record_offset = previous_offset and record_length = previous_length and local_at = previous_at
                then 'repeated'
            when record_offset <= 1 then 'restart'
            else 'out_of_order'
        end as kind,
        case when record_offset > expected_offset then record_offset - expected_offset end as missing_bytes

    from in_sequence

    where record_offset <> expected_offset

),

beginnings as (

    select
        file_id,
        line_no,
        null as after_line_no,
        record_offset,
        'beginning' as kind,
        record_offset - 1 as missing_bytes

    from records

    where previous_line_no is null and record_offset > 1

),

lengths as (  -- a writer that ends lines with CR LF may count both

    select
        file_id,
        line_no,
        last_line_no as after_line_no,
        record_offset,
        case
            when following_line_no is null and read_bytes < record_length then 'truncated'
            else 'recid_mismatch'
        end as kind,
        record_length - read_bytes as missing_bytes

    from records

    where record_length not in (byte_count, character_count, byte_count + line_count, character_count + line_count)

),

converted as (  -- every line of the file is one byte longer than its records say

    select
        files.file_id,
        min(records.line_no) as line_no,
        null as after_line_no,
        min_by(records.record_offset, records.line_no) as record_offset,
        'line_ends' as kind,
        null as missing_bytes

    from files

    inner join records using (file_id)

    where files.other_lines = 0

    group by files.file_id, files.bytes, files.lines

    having
        count(records.record_offset) = count(*)
        and bool_or(records.record_length in (records.byte_count, records.character_count))
        and not bool_or(records.platform = 'F')  -- Windows
        -- lines outside of records are empty; the last line may lack its end
        and files.bytes - (sum(records.read_bytes) + files.lines - sum(records.line_count))
        between files.lines - 1 and files.lines

),

found as (

    select * from places
    union all by name
    select * from beginnings
    union all by name
    select * from lengths
    union all by name
    select * from converted

),

doubts as (

    select
        *,
        case when abs(missing_bytes) = 1 then '1 byte' else abs(missing_bytes) || ' bytes' end as bytes_text,
        case when abs(missing_bytes) = 1 then 'is' else 'are' end as verb

    from found

)

select
    files.configuration,
    files.run,
    files.node,
    files.path,
    case when doubts.kind in ('beginning', 'line_ends') then 'note' else 'warning' end as severity,
    doubts.kind,
    doubts.missing_bytes,
    doubts.after_line_no,
    doubts.record_offset,
    case doubts.kind
        when 'missing' then format(
            '{} {} missing between line {} and line {} of {}: records were filtered or cut out.',
            doubts.bytes_text, doubts.verb, doubts.after_line_no, doubts.line_no, files.path
        )
        when 'beginning' then format(
            '{} {} missing before line {} of {}: it begins in the middle of a log.',
            doubts.bytes_text, doubts.verb, doubts.line_no, files.path
        )
        when 'truncated' then format(
            'The last record of {}, at line {}, lacks {}: the file was cut, edited, or copied while it was written.',
            files.path, doubts.line_no, doubts.bytes_text
        )
        when 'recid_mismatch' then format(
            'The record at line {} of {} is {} {} than it states: it was edited.',
            doubts.line_no, files.path, doubts.bytes_text,
            case when doubts.missing_bytes > 0 then 'shorter' else 'longer' end
        )
        when 'restart' then format(
            'Another log begins at line {} of {}: files were joined, or the log was restarted.',
            doubts.line_no, files.path
        )
        when 'repeated' then format(
            'The record at line {} of {} repeats the one before it.', doubts.line_no, files.path
        )
        when 'out_of_order' then format(
            'The record at line {} of {} was written before the one above it: pieces of logs were joined.',
            doubts.line_no, files.path
        )
        when 'line_ends' then format(
            'The lines of {} end with CR LF, which DB2 did not write: offsets that records state do not hold in it.',
            files.path
        )
    end as text,
    doubts.file_id,
    doubts.line_no

from doubts

inner join files using (file_id)

where
    -- what --since and --until left out is not missing
    doubts.kind not in ('missing', 'beginning', 'restart', 'out_of_order')
    or not exists (
        select 1

        from log.outside_span as outside

        where
            outside.file_id = doubts.file_id
            and outside.to_line between coalesce(doubts.after_line_no, 0) and doubts.line_no - 1
    )

order by doubts.file_id, doubts.line_no, doubts.kind
