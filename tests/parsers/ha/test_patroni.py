"""Patroni's log, and the members of a cluster that `patronictl` lists."""

from datetime import datetime

import pytest

from parsers.cluster_state import CLUSTER_STATE
from parsers.format import Recognition
from parsers.ha import patroni, patronictl
from tests.support.message_lines import claimed_by, counts, numbered, row, rows

at = datetime.fromisoformat
# REAL
LINES = [
    "2018-06-24 21:26:16,256 INFO: Lock owner: pg1; I am pg2",
    "2018-06-24 21:26:16,257 INFO: does not have lock",
    "2018-06-24 21:26:16,277 INFO: no action.  i am a secondary and i am following a leader",
]


def test_head() -> None:
    assert row(patroni.FORMAT, LINES[0]) == {
        "framing": "python",
        "stamp": at("2018-06-24T21:26:16.256"),
        "has_year": True,
        "level": "info",
        "tag": "patroni",
        "text": "Lock owner: pg1; I am pg2",
    }


def test_lines_of_postgresql_stand_between_and_tracebacks_continue() -> None:
    ready = "2018-06-24 21:26:17.130 UTC [12345] LOG:  database system is ready to accept connections"
    traceback = ["Traceback (most recent call last):", '  File "a.py", line 1, in b', "OSError: c"]
    lines = [*LINES, ready, *LINES, *traceback]
    assert claimed_by(lines) == "patroni"
    assert counts(patroni.FORMAT, lines) == [7, 3, 0, 0, 0]
    found = rows(patroni.FORMAT, *lines)
    assert [each["tag"] for each in found] == [*["patroni"] * 3, "postgres", *["patroni"] * 3]
    assert str(found[-1]["text"]).endswith("OSError: c")


def test_another_python_program_is_not_patroni() -> None:
    assert claimed_by(["2018-06-24 21:26:16,256 INFO: backup finished"] * 3) == "dated_log"


def test_patroni_through_syslog_is_syslog() -> None:
    assert claimed_by([f"Jun 24 21:26:16 pg2 patroni[5]: {line}" for line in LINES]) == "syslog"


# RECONSTRUCTED, in the forms of version 2 and 1
NEW = """\
+ Cluster: shop (6919213028405485581) ----+----+-----------+
| Member | Host       | Role    | State   | TL | Lag in MB |
+--------+------------+---------+---------+----+-----------+
| db-0   | 192.0.2.10 | Leader  | running |  3 |           |
| db-1   | 192.0.2.11 | Replica | stopped |    |       1.5 |
+--------+------------+---------+---------+----+-----------+"""
OLD = """\
+---------+--------+------------+--------+---------+-----------+
| Cluster | Member |    Host    |  Role  |  State  | Lag in MB |
+---------+--------+------------+--------+---------+-----------+
|   shop  |  db-0  | 192.0.2.10 | Leader | running |           |
|   shop  |  db-1  | 192.0.2.11 |        | stopped |    1.5    |
+---------+--------+------------+--------+---------+-----------+"""


def test_a_number_that_no_member_has_is_none() -> None:
    lines = numbered(NEW.replace(" 3 ", "18446744073709551616").replace("1.5", "9" * 400).split("\n"))
    assert (
        patronictl.FORMAT.parse(lines).tables[CLUSTER_STATE.name].select("timeline", "lag_mb").rows()
        == [(None, None)] * 2
    )


@pytest.mark.parametrize(("text", "timeline"), [(NEW, 3), (OLD, None)])
def test_each_member_has_its_role_and_state(text: str, timeline: int | None) -> None:
    lines = numbered(text.split("\n"))
    assert isinstance(patronictl.FORMAT.recognise(lines["text"]), Recognition)
    found = patronictl.FORMAT.parse(lines).tables[CLUSTER_STATE.name]
    assert found.select("name", "parent", "role", "state", "timeline", "lag_mb", "detail").rows() == [
        ("db-0", "shop", "Leader", "running", timeline, None, "192.0.2.10"),
        ("db-1", "shop", "Replica", "stopped", None, 1.5, "192.0.2.11"),
    ]
