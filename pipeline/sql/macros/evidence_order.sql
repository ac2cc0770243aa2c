-- What to order the lines that show a milestone by, so that the first is taken: better evidence, the surviving node's own log, the first or last line.
create or replace macro evidence_order(evidence, is_other_node, pick, "at", line_no, file_id, part) as
    row(
        evidence,
        is_other_node,
        case when pick = 'last' then -epoch_us("at") else epoch_us("at") end,
        case when pick = 'last' then -line_no else line_no end,
        file_id,
        part
    );
