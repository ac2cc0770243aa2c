"""Which folders are copies of others: a word, and the same content or the same writer at the same time."""

from datetime import datetime, timedelta

import pytest

from pipeline.study.manifest import Manifest
from pipeline.study.places.assignment import assign
from pipeline.study.places.copied_folders import COPY_WORD
from pipeline.study.places.path_reading import FileHosts

STUDY = "failover"
START = datetime(2026, 3, 1, 10)  # noqa: DTZ001  a wall clock


def log(path: str, host: str | None = "elm", *, after_h: float = 0, sha256: str | None = None) -> FileHosts:
    first = START + timedelta(hours=after_h)
    return FileHosts(path, "syslog", (host,) if host else (), frozenset(), (first, first + timedelta(hours=1)), sha256)


def configurations(*files: FileHosts) -> list[tuple[str, str | None]]:
    found = assign(STUDY, files, Manifest())
    return [(found[each.path].configuration, found[each.path].run) for each in files]


@pytest.mark.parametrize(
    ("copy", "original"),
    [
        ("tuned/run1/kopie/m", "tuned/run1/m"),
        ("tuned/run1~/m", "tuned/run1/m"),
        ("tuned/run1/NEU/m", "tuned/run1/m"),
        ("tuned/run1/alt/elm/m", "tuned/run1/elm/m"),
        ("backup/tuned/run1/m", "tuned/run1/m"),
        ("tuned - Kopie/run1/m", "tuned/run1/m"),
        ("Copy of tuned/run1/m", "tuned/run1/m"),
        ("tuned/run1 (old)/m", "tuned/run1/m"),
        ("tuned (2)/run1/m.gz", "tuned/run1/m"),
    ],
)
def test_a_copy_belongs_where_its_original_does(copy: str, original: str) -> None:
    assert configurations(log(copy, after_h=0.5), log(original)) == [("tuned", "run1"), ("tuned", "run1")]
    files = [log(copy, None, sha256="a"), log(original, None, sha256="a"), log("elsewhere/m", "elm")]
    assert configurations(*files)[0] == ("tuned", "run1")


def test_old_and_new_of_different_times_are_configurations() -> None:
    files = [log("old/run1/m"), log("new/run1/m", after_h=30)]
    assert configurations(*files) == [("old", "run1"), ("new", "run1")]


def test_a_machine_called_old_is_no_copy() -> None:
    files = [
        log(f"run1/{folder}/{name}", host)
        for folder, own in (("new", "elm"), ("old", "oak"))
        for name, host in (("m", own), ("ha-log", None))
    ]
    assert [each.node for each in assign(STUDY, files, Manifest()).values()] == ["elm", "elm", "oak", "oak"]


def test_a_name_that_says_more_is_no_copy() -> None:
    files = [log("fenced/run1/m"), log("fenced, old server wins/run1/m", after_h=0.5)]
    assert configurations(*files) == [("fenced", "run1"), ("fenced, old server wins", "run1")]


def test_a_word_alone_makes_no_copy() -> None:
    assert configurations(log("old/run1/m"), log("tuned/run1/m", "oak", after_h=50))[0] == ("old", "run1")
    assert configurations(log("alt/run1/m"))[0] == ("alt", "run1")


def test_the_reason_is_given() -> None:
    files = [log("tuned/run1/kopie/m", sha256="a"), log("tuned/run1/m", sha256="a")]
    why = "1 of its 1 files is of the same content or time"
    sources = assign(STUDY, files, Manifest())["tuned/run1/kopie/m"].sources
    assert sources["copy"] == f"kopie (in tuned/run1) is taken as a copy of the files beside it because {why}"


@pytest.mark.parametrize("name", ["alt", "kopie", "Copie", "old", "backup", "bak", "NEU", "tuned_old", "x (2)"])
def test_words_for_copies(name: str) -> None:
    assert COPY_WORD.search(name)


@pytest.mark.parametrize("name", ["default", "salt", "holdings", "newton", "altered"])
def test_words_that_hold_one(name: str) -> None:
    assert not COPY_WORD.search(name)
