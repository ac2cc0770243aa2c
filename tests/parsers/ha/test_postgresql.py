from datetime import datetime

import pytest

from parsers.ha.postgresql import FORMAT
from tests.support.message_lines import claimed_by, row, rows, verdicts

at = datetime.fromisoformat
READY = "2025-08-13 01:45:01.130 PDT [12345] LOG:  database system is ready to accept connections"
TEXT = "database system is ready to accept connections"
BASE = {"framing": "postgresql", "has_year": True, "tag": "postgres", "level": "info", "text": TEXT}


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        pytest.param(
            "2025-08-13 01:45:01.130 PDT [12345] ",
            {"stamp": at("2025-08-13T01:45:01.130"), "pid": 12345, "utc_offset_min": -420},
            id="REAL: %m [%p]",
        ),
        pytest.param(
            "2025-08-13 01:45:01 UTC [12345]: [3-1] user=a,db=b,app=[unknown],client=10.0.0.1 ",
            {"stamp": at("2025-08-13T01:45:01"), "pid": 12345, "utc_offset_min": 0},
            id="%t [%p]: [%l-1] user=%u,...",
        ),
        pytest.param(
            "2025-08-13 01:45:01.130 UTC [12345] app@main ",
            {"stamp": at("2025-08-13T01:45:01.130"), "pid": 12345, "utc_offset_min": 0},
            id="Debian's %m [%p] %q%u@%d",
        ),
        pytest.param(
            "2025-08-13 01:45:01 +03 ",
            {"stamp": at("2025-08-13T01:45:01"), "utc_offset_min": 180},
            id="a zone in hours, no process id",
        ),
        pytest.param(
            "2025-08-13 01:45:01 UTC:10.0.0.1(5432):u@d:[12345]:",
            {"stamp": at("2025-08-13T01:45:01"), "pid": 12345, "utc_offset_min": 0},
            id="%t:%r:%u@%d:[%p]:",
        ),
        pytest.param(
            "< 2025-08-13 01:45:01.130 CEST >",
            {"stamp": at("2025-08-13T01:45:01.130"), "utc_offset_min": 120},
            id="< %m >",
        ),
    ],
)
def test_log_line_prefix(prefix: str, expected: dict[str, object]) -> None:
    assert row(FORMAT, f"{prefix}LOG:  {TEXT}") == BASE | expected


def test_csvlog() -> None:
    line = (
        '2023-12-10 00:00:19.349 UTC,"user","db",582,"[local]",6575.1,1,"idle, or so",2023-12-10 00:00:00 UTC,3/0,0,'
        'FATAL,57P01,"terminating ""x""",,,,,,,,,"app","client backend",,0'
    )
    assert row(FORMAT, line) == {
        "framing": "postgresql_csv",
        "stamp": at("2023-12-10T00:00:19.349"),
        "has_year": True,
        "utc_offset_min": 0,
        "tag": "postgres",
        "pid": 582,
        "level": "crit",
        "text": 'terminating "x"',
    }


def test_message_of_csvlog_over_several_lines() -> None:
    head = '2023-12-10 00:00:19.349 UTC,,,582,,6575.1,1,,2023-12-10 00:00:00 UTC,3/0,0,LOG,00000,"statement: select'
    assert verdicts(FORMAT, head, "", '1",,,,,,,,,"app","client backend",,0') == [1, 4, 2]


def test_jsonlog() -> None:
    line = (
        '{"timestamp":"2023-12-10 00:00:19.349 UTC","pid":582,"line_num":1,"error_severity":"LOG",'
        '"message":"database \\"x\\" is ready","backend_type":"startup"}'
    )
    assert row(FORMAT, line) == {
        "framing": "postgresql_json",
        "stamp": at("2023-12-10T00:00:19.349"),
        "has_year": True,
        "utc_offset_min": 0,
        "tag": "postgres",
        "pid": 582,
        "level": "info",
        "text": 'database "x" is ready',
    }
    assert verdicts(FORMAT, line.replace("2023-12-10", "2023-12-40"), line.replace('",', ",")) == [5, 5]
    assert claimed_by([line]) == "postgresql"


def test_notes_are_rows_of_their_own_without_a_level() -> None:
    error, note = rows(
        FORMAT,
        '2025-08-13 01:46:12.212 PDT [12389] ERROR:  relation "x" does not exist at character 15',
        "2025-08-13 01:46:12.212 PDT [12389] STATEMENT:  SELECT *",
        "\tFROM x;",
    )
    assert error["level"] == "err"
    assert "level" not in note
    assert note["text"] == "STATEMENT:  SELECT *\n\tFROM x;"


def test_own_log_is_recognised_below_long_statements() -> None:
    assert claimed_by([READY, "select", "1", READY]) == "postgresql"
    assert claimed_by([READY, "a", "b", "c"]) is None


def test_collector_puts_its_stamp_before_the_process() -> None:
    # REAL: postgresql_promotion of 2018, zeros at the end of the fraction cut
    line = " m-1| 2018-11-19 11:41:56.19907-05  | [26]: [13-1] user=,db=,client= LOG:  selected new timeline ID: 16"
    read = row(FORMAT, line)
    assert (read["stamp"], read["utc_offset_min"], read["pid"]) == (at("2018-11-19T11:41:56.199070"), -300, 26)


def test_log_of_pgpool_is_not_postgresqls_own() -> None:
    # REAL: its lines have PostgreSQL's words behind a stamp without a zone
    line = "2025-05-28 08:34:37.997: health_check0 pid 10276: LOG:  received degenerate backend request for node_id: 0"
    assert claimed_by([line, line.replace("37.997", "37.998")]) == "dated_log"
