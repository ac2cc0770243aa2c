"""Records of db2diag.log: where they begin (`db2diag_framing`), what is folded (`db2diag_folds`), `db2diag_header`."""

import re
import textwrap
from typing import Any

import duckdb
import pytest

from parsers.db2.db2diag import FORMAT
from parsers.db2.db2diag_record import DB2DIAG_DATA, DB2DIAG_RECORD
from tests.support.db2diag_log import HEADER_81, HEADER_82, PID_82, V82, checked, numbered, record, rows, verdicts

CUT = HEADER_82.removesuffix("Event")
OLD = "2004-06-25-15.53.42.078000   Instance:DB2"


@pytest.mark.parametrize(
    ("header", "level"),
    [
        pytest.param(f"{CUT}\nSevere", "Severe", id="before the level"),
        pytest.param(f"{CUT}Sev\nere", "Severe", id="within the level"),
        pytest.param(f"{CUT[:-4]}\n{CUT[-4:]}Info", "Info", id="within the word LEVEL"),
        pytest.param(f"{CUT}Error\n(OS)", "Error", id="before who returned it"),
        pytest.param(f"{CUT[:30]}\n{CUT[31:40]}\nLEVEL: Error", "Error", id="twice"),
        pytest.param(f"> {CUT}\n> Severe", "Severe", id="quoted"),
        pytest.param(f"{OLD}\nNode:000", "Unknown", id="of V8.1"),
    ],
)
def test_a_cut_header_is_joined(header: str, level: str) -> None:
    mark = "> " if header.startswith(">") else ""
    found = rows(f"{HEADER_82}\nMESSAGE : above\n\n{header}\n{mark}{PID_82}\n{mark}MESSAGE : below")
    assert (found[0]["level"], found[0]["message"]) == ("Event", "above")
    assert found[1]["level"] == level


def test_a_header_without_its_end_is_refused_with_its_record() -> None:
    text = f"{HEADER_82}\nMESSAGE : above\n{CUT}\n{PID_82}\nMESSAGE : below\n{HEADER_82}"
    assert verdicts(text) == "PCRRRP"
    assert [row["message"] for row in rows(text)] == ["above", None]
    reasons = checked(numbered(text)).lines["reason"].drop_nulls().unique(maintain_order=True).to_list()
    assert reasons == [
        "record header whose end is not on the next line",
        "belongs to a record whose header is not whole",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", "B", id="empty line"),
        pytest.param(f"tail of a record\n\n...\n{HEADER_82}\n{PID_82}", "RBIPC", id="cut in front"),
        pytest.param(f"{HEADER_82}\n{PID_82}\n \t\nprose\n...\n{HEADER_81}", "PCBCIP", id="foreign lines"),
        pytest.param(f"{HEADER_82.replace('10-07', '02-30')}\n{PID_82}\n{HEADER_81}", "RRP", id="30 February"),
        pytest.param(f"> {HEADER_82}\n> {PID_82}\n>\n> ...", "PCCI", id="quoted: a lone mark is no white space"),
        pytest.param(f">\n> {HEADER_82}\n> {PID_82}", "IPC", id="a lone mark before the first header"),
    ],
)
def test_every_line_has_its_verdict(text: str, expected: str) -> None:
    assert verdicts(text) == expected


def test_rejected_lines_say_why() -> None:
    lines = FORMAT.parse(numbered(f"x\n{HEADER_82.replace('10-07', '02-30')}\n{PID_82}")).lines
    assert lines["reason"].to_list() == [
        "is before the first record header",
        "record header with an impossible date",
        "belongs to a record whose header has an impossible date",
    ]


@pytest.mark.parametrize("mark", ["> ", "  ", "\t", "db2_1  | ", "# ", "\u00a0\u00a0"])
def test_mark_before_every_line_is_taken_off(mark: str) -> None:
    lines = [line.rstrip() for line in V82.split("\n")]
    marked = "\n".join(f"{mark}{line}".rstrip() for line in lines)
    plain, found = checked(numbered("\n".join(lines))), checked(numbered(marked))
    for name, table in plain.tables.items():
        assert found.tables[name].equals(table)


def test_a_copy_with_tabs_for_its_blanks_has_the_same_header() -> None:
    single = re.sub(" +", " ", HEADER_82)
    assert verdicts(single.replace(" ", "\t")) == "P"
    assert record(single.replace(" ", "\t")) == record(single)


def test_level_source_is_kept_apart() -> None:
    row = record(HEADER_82.replace("Event", "Error (OS)"))
    assert (row["level"], row["level_source"]) == ("Error", "OS")


BODY = """\
PID     : 4100                 TID : 140001         PROC : db2sysc 0
INSTANCE: db2x                 NODE : 000           DB   : ORDERS
APPHDL  : 0-24715              APPID: *LOCAL.db2x.230610033239
AUTHID  : DB2X                 HOSTNAME: a.example.com
EDUID   : 60                   EDUNAME: db2hadrs.0.0 (ORDERS) 0
FUNCTION: DB2 UDB, High Availability Disaster Recovery, hdrSetHdrState, probe:10000
MESSAGE : a text that is long enough to be folded in every width, and that has some more words
DATA #1 : String, 9 bytes
something that is long enough to be folded in every width, and that has some more words"""
HEADER = "2024-03-05-10.00.00.100000-300 I1000E{:<14} LEVEL: Event"
LENGTH = len(HEADER.format(600)) + len(BODY) + 2
RECORD = f"{HEADER.format(LENGTH)}\n{BODY}"
AS_READ = {"line_no", "line_count", "byte_count", "character_count"}


def _said(text: str) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key not in AS_READ} for row in rows(text)]


@pytest.mark.parametrize("columns", [60, 64, 72, 80])
def test_a_folded_record_says_what_it_said(columns: int) -> None:
    body = f"{BODY}\n{'y ' * (columns // 2 - 1)}yy\nPhysical Memory(MB): total:9"  # a line as long as the widest
    whole = f"{HEADER.format(len(HEADER.format(600)) + len(body) + 2)}\n{body}"
    lines = whole.split("\n")
    wrapped = "\n".join(part for line in lines for part in textwrap.wrap(line, columns))
    cut = "\n".join(line[at : at + columns] for line in lines for at in range(0, len(line), columns))
    assert _said(wrapped) == _said(cut) == _said(whole)


def test_dumps_of_one_width_are_not_joined() -> None:
    dump = "\n".join(f"0x0780000012340{number:03} : " + "0000 " * 8 for number in range(4))
    text = f"{RECORD}\nDATA #2 : Hexdump, 64 bytes\n{dump}"
    assert _said(text)[0]["data"].endswith(dump)


@pytest.mark.parametrize("line", ["17", "FUNCTION: DB2 UDB, base,"])
def test_old_records_state_no_length(line: str) -> None:
    assert len(rows(f"{HEADER_81}\n{line}\nmore")) == 1


MESSAGE = DB2DIAG_RECORD.message


def said(expression: str | None, **values: Any) -> Any:
    """The expression over one record that has these values and no others."""
    names = [column.name for column in DB2DIAG_RECORD.columns]
    columns = ", ".join(f'${name} as "{name}"' if name in values else f'null as "{name}"' for name in names)
    with duckdb.connect() as connection:
        found = connection.execute(f"select {expression} from (select {columns})", values).fetchone()
    assert found
    return found[0]


@pytest.mark.parametrize(
    ("values", "text"),
    [
        pytest.param({"message": "Crash Recovery is needed.", "data": "d"}, "Crash Recovery is needed.", id="message"),
        pytest.param({"event_text": "STOP", "data": "d"}, "STOP", id="event"),
        pytest.param({"retcode": "ZRC=0x1", "data": "d"}, "ZRC=0x1", id="return code before data"),
        pytest.param({"data": "d"}, "d", id="data where there is nothing else"),
        pytest.param({}, None, id="nothing"),
    ],
)
def test_text_of_a_record_is_the_plainest_that_it_has(values: dict[str, str], text: str | None) -> None:
    assert MESSAGE
    assert said(MESSAGE.text, **values) == text


@pytest.mark.parametrize(
    ("values", "identifier"),
    [
        pytest.param({"message_code": "ADM1530E", "function": "f", "probe": 1}, "ADM1530E", id="code of the message"),
        pytest.param({"function": "sqlpresr", "probe": 410}, "sqlpresr:410", id="function and probe"),
        pytest.param({"function": "sqlpresr"}, None, id="no probe, no identifier"),
    ],
)
def test_identifier_is_the_code_else_function_and_probe(values: dict[str, Any], identifier: str | None) -> None:
    assert MESSAGE
    assert said(MESSAGE.message_id, **values) == identifier


def test_host_of_a_record_is_the_one_that_wrote_it() -> None:
    assert [column.name for column in DB2DIAG_RECORD.columns if column.host] == ["host"]
    assert DB2DIAG_RECORD.is_dated
    assert not DB2DIAG_DATA.is_dated


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(
            ("PID     : 9100                 TID : 150001         PROC :", "db2sysc 0"), {"process": "db2sysc 0"}
        ),
        pytest.param(("INSTANCE: db2x                 NODE : 000           DB   :", "SHOP"), {"database": "SHOP"}),
        pytest.param(
            ("EDUID   : 77                   EDUNAME: db2hadrs.0.0 (SHOP", "1) 0"),
            {"eduname": "db2hadrs.0.0 (SHOP 1) 0"},
        ),
        pytest.param(("FUNCTION: DB2 UDB, recovery,", "sqlx, probe:20"), {"function": "sqlx", "probe": 20}),
    ],
)
def test_the_end_of_a_cut_field_belongs_to_it(lines: tuple[str, ...], expected: dict[str, object]) -> None:
    assert record(HEADER_82, *lines, "MESSAGE : x") | expected == record(HEADER_82, *lines, "MESSAGE : x")


def test_a_cut_field_takes_no_blanks_off_other_lines() -> None:
    lines = ("FUNCTION: DB2 UDB, base, sqlx, probe:1", "DATA #1 : String, 4 bytes", "ab  ")
    cut = ("FUNCTION: DB2 UDB, recovery,", "sqly, probe:20", "MESSAGE : x")
    alone = record(HEADER_82, *lines)
    beside = rows("\n".join([HEADER_82, *lines, HEADER_82, *cut]))[0]
    assert (beside["data"], beside["message"]) == (alone["data"], alone["message"])
    assert "ab  " in alone["data"]


@pytest.mark.parametrize("header", [HEADER_82, HEADER_81])
def test_a_dump_record_keeps_its_text_and_its_process(header: str) -> None:
    lines = ("PID:1142898 TID:1 NODE:000 Title: SQLP_DBCB", "Dump File:/db2dump/1142898.000")
    row = record(header, *lines)
    assert (row["data"], row["pid"], row["tid"], row["member"]) == ("\n".join(lines), 1142898, 1, 0)


def test_text_that_no_field_claims_is_the_message() -> None:
    below = ("HOSTNAME: a", "FUNCTION: DB2 UDB, base, sqlx, probe:1", "said below the function")
    assert record(HEADER_82, *below)["message"] == "said below the function"
    assert record(HEADER_82, "HOSTNAME: a", "said below a host")["message"] == "said below a host"


def test_the_head_of_an_old_record_is_joined() -> None:
    lines = (
        "PID:2352(db2syscs.exe)   TID:4360",
        "Appid:*LOCAL.DB2.02",
        "data management",
        "sqldx Probe:4",
        "Database:SHOP",
    )
    (row,) = rows("\n".join((HEADER_81, *lines, "", "ADM5503E  text")))
    assert [row[key] for key in ("appid", "component", "function", "probe", "database", "message")] == [
        *("*LOCAL.DB2.02", "data management", "sqldx", 4, "SHOP"),
        "ADM5503E  text",
    ]
