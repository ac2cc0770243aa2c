"""Every `log_line_prefix`: lines that PostgreSQL 15.18 wrote with it, as its startup process replayed the log."""

from datetime import datetime

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.ha.postgresql import FORMAT
from parsers.syslog.postgresql_prefix import groups
from tests.support.message_lines import claimed_by, numbered, row, rows_of

at = datetime.fromisoformat
REDO = "redo starts at 0/1500790"
SECOND, FINE = at("2026-11-21T15:36:39"), at("2026-11-21T15:36:39.916")

# REAL, each written with the prefix that is its id
PREFIXES = [
    pytest.param("2026-11-21 15:36:39.916 UTC [27208] ", FINE, 27208, id="%m [%p] "),
    pytest.param(
        "2026-11-21 15:36:39 UTC [27208]: [3-1] user=,db=,app=,client= ",
        SECOND,
        27208,
        id="%t [%p]: [%l-1] user=%u,db=%d,app=%a,client=%h ",
    ),
    pytest.param("1795275399.916 [27230] ", FINE, 27230, id="%n [%p] "),
    pytest.param("1795275399.916 27255 ", FINE, 27255, id="%n %p %q%u "),
    pytest.param("< 2026-11-21 15:36:39.916 UTC >", FINE, None, id="< %m >"),
    pytest.param("[27289] 2026-11-21 15:36:39.916 UTC ", FINE, 27289, id="[%p] %m "),
    pytest.param("27309 2026-11-21 15:36:39 UTC ", SECOND, 27309, id="%p %t "),
    pytest.param("@ 2026-11-21 15:36:39.916 UTC ", FINE, None, id="%u@%d %m "),
    pytest.param(
        "||||27367|2026-11-21 15:36:39 UTC|2026-11-21 15:36:39.916 UTC||00000|6b01ba87.6ae7|3|"
        "2026-11-21 15:36:39 UTC||0| ",
        FINE,
        27367,
        id="%a|%u|%d|%h|%p|%t|%m|%i|%e|%c|%l|%s|%v|%x| ",
    ),
    pytest.param(
        "2026-11-21 15:36:39.916 UTC::@:[27389]:3:00000:2026-11-21 15:36:39 UTC::0:6b01ba88.6afd:",
        FINE,
        27389,
        id="%m:%r:%u@%d:[%p]:%l:%e:%s:%v:%x:%c:%q%a:",
    ),
    pytest.param("2026-11-21 15:36:39 UTC ", SECOND, None, id="%t "),
    pytest.param("pg 2026-11-21 15:36:39 UTC 27436: ", SECOND, 27436, id="pg %t %p: "),
    pytest.param("6b01ba89.6b55 2026-11-21 15:36:39.916 UTC ", FINE, None, id="%c %m "),
    pytest.param(
        "2026-11-21 11:02:42 UTC 2026-11-21 15:36:39.916 UTC ", FINE, None, id="%s %m : the session began before"
    ),
    pytest.param("startup[27513] 2026-11-21 15:36:39.916 UTC 0 ", FINE, 27513, id="%b[%p] %m %Q "),
    pytest.param("00000 27533 1795275399.916 ", FINE, 27533, id="%e %p %n "),
]


@pytest.mark.parametrize(("prefix", "stamp", "pid"), PREFIXES)
def test_a_log_is_recognised_and_read_by_any_prefix(prefix: str, stamp: datetime, pid: int | None) -> None:
    """Time and process id are read wherever they stand."""
    own = [
        f"{prefix}LOG:  {REDO}",
        f'{prefix}ERROR:  relation "nowhere" does not exist at character 25',
        f"{prefix}STATEMENT:  select nothing",
        "\t  from   nowhere",
    ]
    assert claimed_by(own) == "postgresql"
    parsed = FORMAT.parse(numbered(own))
    assert parsed.lines["verdict"].to_list() == [1, 1, 1, 2]
    first, *_, last = rows_of(parsed)
    expected = {"framing": "postgresql", "stamp": stamp, "has_year": True, "utc_offset_min": 0, "tag": "postgres"}
    assert first == expected | {"level": "info", "text": REDO} | ({} if pid is None else {"pid": pid})
    assert (last["stamp"], last["text"]) == (stamp, "STATEMENT:  select nothing\n\t  from   nowhere")
    event = rows_of(parsed, "ha_event")[0]
    assert (event["kind"], event["new_state"]) == ("db_recovery_start", "0/1500790")


def test_lines_without_a_time_are_undated() -> None:
    own = [
        f"LOG:  {REDO}",
        "LOG:  redo done at 0/16256B8 system usage: CPU: user: 0.00 s, system: 0.00 s, elapsed: 0.12 s",
    ]
    assert claimed_by(own) == "postgresql"
    assert row(FORMAT, own[0]) == {"framing": "postgresql_undated", "tag": "postgres", "level": "info", "text": REDO}
    done = row(FORMAT, own[1], table="ha_event")
    assert (done["kind"], done["value"], done.get("stamp")) == ("db_redo_done", 0.12, None)


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(["ERROR:  something went wrong", "INFO:  it goes on"], id="levels of another program"),
        pytest.param(["Feb 11 13:15:39 pc postgres[1]: [4-1] 2026-11-21 15:36:39 UTC [1] LOG:  x"], id="syslog"),
    ],
)
def test_other_logs_are_not_treated_as_its_own(texts: list[str]) -> None:
    assert claimed_by(texts) != "postgresql"


@given(st.text(max_size=80), st.text(max_size=20))
def test_any_prefix_and_text_are_read_without_a_fault(prefix: str, said: str) -> None:
    read = groups(pl.DataFrame({"line": [f"{prefix}LOG:  {said}"]}, schema={"line": pl.String}))
    assert read.height == 1
