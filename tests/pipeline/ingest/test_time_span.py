"""--since and --until: which lines count, and what becomes of the others."""

from datetime import datetime
from pathlib import Path

import pytest

from pipeline.errors import InputError, UsageError
from pipeline.ingest.window import Instants, Window
from tests.support.failover_logs import write
from tests.support.ingest_study import age, assert_accounted, files, rows, run

SYSLOG = """\
Jul 28 10:00:00 sun-ha3 sshd[12]: Accepted publickey for root
Jul 28 11:00:00 sun-ha3 sshd[12]: Accepted publickey for root
no line of syslog
Jul 28 11:30:00 sun-ha3 sshd[13]: Accepted publickey for root

Jul 28 12:00:00 sun-ha3 sshd[14]: Accepted publickey for root
no line of syslog
"""
DB2DIAG = """\
2003-07-28-10.30.00.000000-240 I1A300             LEVEL: Warning
PID     : 7022                 TID  : 1           PROC : db2sysc
FUNCTION: DB2 UDB, base sys utilities, sqledint, probe:30
MESSAGE : Crash Recovery is needed.

2003-07-28-11.30.00.000000-240 I302A300           LEVEL: Warning
PID     : 7022                 TID  : 1           PROC : db2sysc
FUNCTION: DB2 UDB, recovery manager, sqlpresr, probe:3170
MESSAGE : Crash recovery completed. Next LSN is 01C1
DATA #1 : String, 5 bytes
hello

"""
IOSTAT = """\
Linux 4.18.0 (sun-ha3) \t07/28/2003 \t_x86_64_\t(4 CPU)

07/28/2003 10:30:00 AM
Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn
sda               1.00         0.00         8.00          0         80

07/28/2003 11:30:00 AM
Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn
sda               2.00         0.00        16.00          0        160

"""
OLD = "2003/07/28 10:27:04 VCS INFO V-16-1-10077 received new cluster membership\n  a line that continues it\n"
IN_SPAN = {"since": "2003-07-28T11:00", "until": "2003-07-28 12:00:00"}


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    node = folder / "tuned" / "sun-ha3"
    write(node / "messages", SYSLOG)
    write(node / "db2diag.log", DB2DIAG)
    write(node / "iostat.txt", IOSTAT)
    write(node / "engine_A.log", OLD)
    write(folder / "tuned" / "llttab", "set-timer peerinact:300\n")
    age(folder)
    return folder


@pytest.mark.usefixtures("without_views")
def test_lines_outside_are_ignored_and_those_below_go_with_them(logs: Path, tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    result = run(logs, db, **IN_SPAN)
    assert_accounted(db)
    counts = ("parsed_lines", "continuation_lines", "ignored_lines", "blank_lines", "rejected_lines")
    found = {path.rpartition("/")[2]: row for path, row in files(db).items()}
    # the line below 11:00 is of the span and that below 12:00 is not, as until is the first instant beyond
    assert [found["messages"][each] for each in counts] == [2, 0, 3, 1, 1]
    assert rows(db, "select line_no from rejected_line") == [(3,)]
    assert [found["db2diag.log"][each] for each in counts] == [1, 5, 4, 2, 0]
    assert [found["engine_A.log"][each] for each in counts] == [0, 0, 2, 0, 0]
    assert (found["llttab"]["status"], found["llttab"]["parsed_lines"]) == ("parsed", 1)
    old = found["engine_A.log"]
    assert old["status"] == "skipped"
    assert old["reason"] == (
        "outside the span of --since and --until: it reaches from 2003-07-28 14:27:04 to 2003-07-28 14:27:04 UTC, and "
        "only lines from 2003-07-28 15:00:00 UTC until 2003-07-28 16:00:00 UTC count"
    )
    assert found["messages"]["first_at"] == datetime(2003, 7, 28, 15)  # noqa: DTZ001  naive UTC
    assert found["messages"]["last_at"] == datetime(2003, 7, 28, 15, 30)  # noqa: DTZ001  naive UTC
    # rows without a time of their own go with the row above them
    assert rows(db, "select line_no from log.db2diag_record") == [(6,)]
    assert {line for (line,) in rows(db, "select line_no from log.db2diag_data")} == {6}
    assert rows(db, "select line_no from log.iostat_device") == [(9,)]
    assert rows(db, "select count(*) from log.vcs_event_message") == [(0,)]  # nor is left what only they said
    assert rows(db, "select from_line, to_line from log.outside_span order by all") == [
        (1, 1), (1, 2), (1, 5), (3, 6), (6, 7),
    ]  # fmt: skip
    assert result.rejected_lines == 1
    assert result.remarks == (
        "only lines from 2003-07-28 15:00:00 UTC until 2003-07-28 16:00:00 UTC count (--since, --until)",
    )


@pytest.mark.usefixtures("without_views")
def test_a_local_time_is_of_the_study_or_of_the_only_zone_of_its_logs(logs: Path, tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    with pytest.raises(
        InputError, match="no line is from 2003-07-29 04:00:00 UTC on: the logs reach from 2003-07-28 14"
    ):
        run(logs, db, since="2003-07-29")
    assert not db.exists()
    write(logs / "other" / "lark" / "db2diag.log", DB2DIAG.replace("-240", "+060"))
    with pytest.raises(
        UsageError, match=r"--since 2003-07-28T11:00:00: the logs are of several zones \(\+01:00, -04:00\)"
    ):
        run(logs, db, since="2003-07-28T11:00")
    write(logs / "study.toml", '[study]\ntimezone = "Europe/Berlin"\n')
    run(logs, db, since="2003-07-28T17:00")
    assert rows(db, "select since, until from main.store_info") == [("2003-07-28T15:00:00Z", "")]
    alone = tmp_path / "alone"
    write(alone / "sun-ha3" / "messages", SYSLOG)
    write(alone / "study.toml", "[study]\nyear = 2003\n")
    age(alone)
    with pytest.raises(UsageError, match="no log shows a zone; write it in UTC, as 2003-07-28T11:00:00Z"):
        run(alone, tmp_path / "b.duckdb", since="2003-07-28T11:00")
    run(alone, tmp_path / "b.duckdb", since="2003-07-28T11:30:00Z")
    assert rows(tmp_path / "b.duckdb", "select line_no from log.syslog_event") == [(4,), (6,)]


def test_bounds_are_times_in_their_order() -> None:
    for since, until in (
        ("yesterday", ""),
        ("", "10:30"),
        ("2003-02-29", ""),
        ("0001-01-01T00:00+14:00", ""),
        ("2003-07-28", "2003-07-28"),
        ("2003-07-28T11:00", "2003-07-28T10:00"),
        ("2003-07-28T11:00Z", "2003-07-28T12:00+02:00"),
    ):
        with pytest.raises(UsageError, match=r"^--since |^--until "):
            Window.of(since, until)
    mixed = Window.of("2003-07-28T11:00", "2003-07-28T14:00Z")
    assert mixed.instants(None) is None
    with pytest.raises(UsageError, match="does not lie before"):
        mixed.instants("America/Toronto")
    first = datetime(2003, 7, 28, 4)  # noqa: DTZ001  naive UTC
    assert Window.of("2003-07-28", "").instants("America/Toronto") == Instants(first, None)
    assert Window.of("", "").instants(None) == Instants(None, None)
