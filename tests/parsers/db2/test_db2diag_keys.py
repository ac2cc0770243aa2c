"""Fields of all forms, also those whose line is cut; what no field claims is kept."""

import pytest

from tests.support.db2diag_log import HEADER_81, HEADER_82, record, rows


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
