"""What a parser hands over is held to the contract, and added up per file."""

from dataclasses import replace

import polars as pl
import pytest

from parsers.format import LINE_SCHEMA, Parsed, formats
from pipeline.errors import HaledgerError
from pipeline.parsed_chunk import parse_chunk, told_by

SYSLOG = formats()["syslog"]
LINES = [
    (1, 1, "Jul 28 10:27:04 n1 su: 'su root' failed for ops"),
    (1, 2, "nobody's line"),
    (2, 1, "Jul 28 10:27:05 n2 su: 'su root' failed for ops"),
    (2, 2, "Jul 28 10:27:06 n1 su: 'su root' failed for ops"),
    (2, 3, ""),
]


def lines() -> pl.DataFrame:
    return pl.DataFrame(LINES, LINE_SCHEMA, orient="row")


def test_verdicts_and_rejected_lines_are_told_per_file() -> None:
    chunk = parse_chunk(SYSLOG, lines())
    assert chunk.verdicts == [(1, 1, 1), (1, 5, 1), (2, 1, 2), (2, 4, 1)]
    assert [(file_id, frame["text"].to_list()) for file_id, frame in chunk.rejected] == [(1, ["nobody's line"])]


def test_rows_hosts_and_stamps_are_told_per_file() -> None:
    told = told_by(SYSLOG, parse_chunk(SYSLOG, lines()).tables)
    assert told.rows == [(1, "syslog_event", 1), (2, "syslog_event", 2)]
    assert told.hosts == [(1, "own", "n1", 1), (2, "own", "n1", 1), (2, "own", "n2", 1)]
    assert told.stamps is not None
    assert told.stamps["file_id"].to_list() == [1, 2]


def test_no_rows_tell_nothing() -> None:
    told = told_by(SYSLOG, {})
    assert (told.rows, told.hosts, told.stamps) == ([], [], None)


def verdict_lost(parsed: Parsed) -> Parsed:
    return replace(parsed, lines=parsed.lines[1:])


def table_unknown(parsed: Parsed) -> Parsed:
    return replace(parsed, tables={"elsewhere": parsed.tables["syslog_event"]})


def column_lost(parsed: Parsed) -> Parsed:
    return replace(parsed, tables={"syslog_event": parsed.tables["syslog_event"].drop("text")})


@pytest.mark.parametrize("spoilt", [verdict_lost, table_unknown, column_lost])
def test_a_parser_that_breaks_the_contract_is_caught(spoilt: object) -> None:
    assert callable(spoilt)
    with pytest.raises(HaledgerError, match="syslog"):
        parse_chunk(replace(SYSLOG, parse=lambda rows: spoilt(SYSLOG.parse(rows))), lines())
