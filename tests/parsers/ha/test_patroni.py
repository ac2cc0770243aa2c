from datetime import datetime

from parsers.ha.patroni import FORMAT
from tests.support.message_lines import claimed_by, counts, row, rows

at = datetime.fromisoformat
# REAL
LINES = [
    "2018-06-24 21:26:16,256 INFO: Lock owner: pg1; I am pg2",
    "2018-06-24 21:26:16,257 INFO: does not have lock",
    "2018-06-24 21:26:16,277 INFO: no action.  i am a secondary and i am following a leader",
]


def test_head() -> None:
    assert row(FORMAT, LINES[0]) == {
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
    assert counts(FORMAT, lines) == [7, 3, 0, 0, 0]
    found = rows(FORMAT, *lines)
    assert [each["tag"] for each in found] == [*["patroni"] * 3, "postgres", *["patroni"] * 3]
    assert str(found[-1]["text"]).endswith("OSError: c")


def test_another_python_program_is_not_patroni() -> None:
    assert claimed_by(["2018-06-24 21:26:16,256 INFO: backup finished"] * 3) == "dated_log"


def test_patroni_through_syslog_is_syslog() -> None:
    assert claimed_by([f"Jun 24 21:26:16 pg2 patroni[5]: {line}" for line in LINES]) == "syslog"
