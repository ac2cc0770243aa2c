"""Rotated copies of a log: which files are one, and how they are dated together."""

import pytest

from pipeline.clock.rotation import chains, rotation
from tests.support.dated_logs import Log, moment, resolve


def test_rotated_copies_are_one_log() -> None:
    logs = [
        Log("messages", "01-05T00:00:00").modified(moment("2004-01-06")),
        Log("messages.1", "12-28T00:00:00", "01-02T00:00:00"),
        Log("messages.2.gz", "11-01T00:00:00"),
    ]
    found = resolve(*logs)
    assert [found[log.path].first_year for log in logs] == [2004, 2003, 2003]
    assert {each.year_source for each in found.values()} == {"mtime"}


def test_copies_are_in_the_order_of_time_however_they_are_numbered() -> None:
    paths = ["m", "m.1", "m.10.gz", "m.2", "m-20031101", "m-20031001.xz", "other.gz"]
    found = chains(Log(path, "07-28T10:27:04").facts(i) for i, path in enumerate(paths))
    assert [[file.path for file in chain.files] for chain in found] == [
        ["m-20031001.xz", "m-20031101", "m.10.gz", "m.2", "m.1", "m"],
        ["other.gz"],
    ]


def test_copies_of_another_run_are_another_log() -> None:
    files = [Log("m", "07-28T10:27:04").facts(0), Log("m.1", "07-28T10:27:04", run="run02").facts(1)]
    assert [len(chain.files) for chain in chains(files)] == [1, 1]


def test_new_years_between_copies_count() -> None:
    logs = [Log("m.1", "12-28T00:00:00", "01-02T00:00:00"), Log("m", "12-05T00:00:00"), Log("m.2", "11-01T00:00:00")]
    assert chains(log.facts(i) for i, log in enumerate(logs))[0].shifts == (0, 0, 1)


@pytest.mark.parametrize(
    "oldest_first",
    [
        pytest.param(["messages.10.bz2", "messages.2.gz", "messages.1", "messages.0", "messages"], id="numbers"),
        pytest.param(["messages-20190315.xz", "messages-20190322.gz", "messages"], id="days"),
        pytest.param(["m-2019032209.gz", "m-2019032210.gz"], id="hours"),
        pytest.param(["m-20190322-1553212801.gz", "m-20190322-1553216401"], id="seconds"),
        pytest.param(["db2diag.9.log.gz", "db2diag.10.log"], id="DB2 counts upwards"),
        pytest.param(["db2inst1.0.nfy", "db2inst1.1.nfy"], id="DB2's notification log too"),
        pytest.param(["a.tgz!/messages.2.gz", "a.tgz!/messages.1", "a.tgz!/messages"], id="in an archive"),
    ],
)
def test_names_of_rotated_copies(oldest_first: list[str]) -> None:
    assert len({rotation(path)[0] for path in oldest_first}) == 1
    assert sorted(oldest_first, key=lambda path: rotation(path)[1]) == oldest_first


def test_names_that_are_not_of_one_log() -> None:
    assert len({rotation(path)[0] for path in ("messages", "messages.old", "iostat1.txt", "iostat2.txt")}) == 4
