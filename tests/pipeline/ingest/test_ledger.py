"""What is remembered of a file. That it is rightly trusted is shown in test_ingest.py."""

import json
from dataclasses import fields

from pipeline.discovery.walk import Discovery, Skipped
from pipeline.ingest.ledger import clock_key, file_numbers
from pipeline.reading.file_facts import FileFacts


def test_facts_are_remembered_as_they_were() -> None:
    facts = FileFacts(
        "parsed",
        format="syslog",
        refusals=(("vcs_engine", "no message", 3),),
        lines=7,
        own_hosts={"sun-ha4": 5},
        note="2 NUL bytes removed",
    )
    assert FileFacts.from_json(facts.as_json()) == facts
    written = json.loads(facts.as_json())
    assert written["refusals"] == {"vcs_engine": ["no message", 3]}
    assert list(written) == sorted(each.name for each in fields(FileFacts))


def test_what_files_are_refused_for_alike_is_held_once() -> None:
    written = FileFacts("parsed", refusals=(("iostat", "no report", 1), ("vcs_engine", "no message", 3))).as_json()
    assert FileFacts.from_json(written).refusals is FileFacts.from_json(written).refusals


def test_writers_come_most_frequent_first() -> None:
    assert FileFacts("parsed", own_hosts={"c": 2, "a": 1, "b": 3}).writers() == ("b", "c", "a")


def test_files_are_numbered_by_path_whether_read_or_not() -> None:
    skipped = tuple(Skipped(path, "skipped", "a hidden file") for path in ("b", "a/z"))
    assert file_numbers(Discovery((), skipped)) == {"a/z": 1, "b": 2}


def test_file_without_times_has_no_clock_to_compare() -> None:
    assert clock_key(None) is None
