"""What is remembered of a file. That it is rightly trusted is shown in test_ingest.py."""

import pytest

from pipeline.discovery import Discovery, Skipped
from pipeline.ledger import MAX_HOSTS, Learnt, clock_key, file_numbers


def test_learnt_is_remembered_as_it_was() -> None:
    learnt = Learnt("parsed", format="syslog", refusals={"vcs_engine": ("no message", 3)}, lines=7)
    learnt.add_host("own", "sun-ha4", 5)
    learnt.add_note("2 NUL bytes removed")
    assert Learnt.from_json(learnt.as_json()) == learnt


def test_writers_come_most_frequent_first() -> None:
    learnt = Learnt("parsed")
    for host, count in (("b", 1), ("c", 2), ("a", 1), ("b", 1)):
        learnt.add_host("own", host, count)
    learnt.add_host("named", "z", 9)
    assert learnt.writers() == ("b", "c", "a")
    assert learnt.named_hosts == ["z"]


@pytest.mark.parametrize("kind", ["own", "named"])
def test_more_hosts_than_a_cluster_has_are_not_kept(kind: str) -> None:
    learnt = Learnt("parsed")
    for number in range(MAX_HOSTS + 5):
        learnt.add_host(kind, f"host{number}", 1)
    assert len(learnt.own_hosts) + len(learnt.named_hosts) == MAX_HOSTS


def test_notes_are_added_up() -> None:
    learnt = Learnt("parsed")
    learnt.add_note(None)
    assert learnt.note is None
    learnt.add_note("one")
    learnt.add_note("two")
    assert learnt.note == "one; two"


def test_files_are_numbered_by_path_whether_read_or_not() -> None:
    skipped = tuple(Skipped(path, "skipped", "a hidden file") for path in ("b", "a/z"))
    assert file_numbers(Discovery((), skipped)) == {"a/z": 1, "b": 2}


def test_file_without_times_has_no_clock_to_compare() -> None:
    assert clock_key(None) is None
