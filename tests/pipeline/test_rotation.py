"""Rotated copies of a log: which files are one, and how they are dated together."""

from pipeline.rotation import chains
from tests.pipeline.dated_logs import Log, moment, settle


def test_rotated_copies_are_one_log() -> None:
    logs = [
        Log("messages", "01-05T00:00:00").modified(moment("2004-01-06")),
        Log("messages.1", "12-28T00:00:00", "01-02T00:00:00"),
        Log("messages.2.gz", "11-01T00:00:00"),
    ]
    found = settle(*logs)
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
