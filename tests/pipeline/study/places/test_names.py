"""Names of hosts and of folders, and what they show."""

from itertools import islice

import pytest

from pipeline.study.places.folders_of_nodes import PlacedFile, folders_of_nodes
from pipeline.study.places.hosts import is_name, is_same_host, short_name
from pipeline.study.places.name_parts import name_parts, stems_of


@pytest.mark.parametrize(
    ("name", "stems"),
    [
        pytest.param("messages", ["messages"], id="no ending"),
        pytest.param(
            "messages.sun-ha4.1.gz", ["messages.sun-ha4.1.gz", "messages.sun-ha4.1", "messages.sun-ha4"], id="two"
        ),
        pytest.param(
            "messages-20190322.xz", ["messages-20190322.xz", "messages-20190322", "messages"], id="rotated by date"
        ),
        pytest.param(".gz", [".gz"], id="nothing but an ending"),
        pytest.param("", [], id="no name"),
    ],
)
def test_endings_come_off_one_after_another(name: str, stems: list[str]) -> None:
    assert list(stems_of(name)) == stems


def test_what_may_be_a_host_is_among_the_parts() -> None:
    assert {"sun-ha4", "messages"} <= set(name_parts("messages.sun-ha4.1.gz"))


def test_a_single_character_is_no_host() -> None:
    assert "A" not in set(name_parts("engine_A.log"))


@pytest.mark.parametrize("name", ["." * 5000, "a-" * 5000, "x" * 5000], ids=["points", "hyphens", "one word"])
def test_a_long_name_has_a_bounded_number_of_parts(name: str) -> None:
    assert len(list(islice(name_parts(name), 200_000))) < 200_000


@pytest.mark.parametrize(
    ("host", "short"),
    [
        pytest.param("sun-ha4", "sun-ha4", id="short"),
        pytest.param("SUN-HA4.example.com", "sun-ha4", id="full, in capitals"),
        pytest.param("10.1.2.3", "10.1.2.3", id="an address has no domain"),
        pytest.param("FE80::1.2", "fe80::1.2", id="an address of version 6"),
        pytest.param(".example.com", ".example.com", id="nothing before the domain"),
    ],
)
def test_short_name(host: str, short: str) -> None:
    assert short_name(host) == short


@pytest.mark.parametrize("host", ["", " - ", "LOCALHOST", "(none)", "two words", "a/b", "x" * 256])
def test_text_that_names_nobody(host: str) -> None:
    assert not is_name(host)


@pytest.mark.parametrize("host", ["sun-ha4", " sun-ha4.example.com ", "10.1.2.3"])
def test_text_that_names_a_host(host: str) -> None:
    assert is_name(host)


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("db1", "DB1.dc1.example.com", True),
        ("db1.dc1.example.com", "DB1.dc1.example.com", True),
        ("db1.dc1.example.com", "db1.dc2.example.com", False),
        ("10.0.0.1", "10.0.0.2", False),
    ],
)
def test_names_with_and_without_domain(one: str, other: str, *, is_same: bool) -> None:
    assert is_same_host(one, other) is is_same


def placed(path: str, *, run: bool = True, archive: bool = False) -> PlacedFile:
    """A file of `node/below/name`, or of `name` in no folder of a node."""
    *folders, name = path.split("/")
    node = ("run1", folders[0]) if folders else None
    return PlacedFile(("run1",), run, node, tuple(folders[1:]), name, archive)


@pytest.mark.parametrize(
    ("files", "plain"),
    [
        pytest.param([placed("A/Evidence/pg.log"), placed("A/m"), placed("B/m")], {"A"}, id="beside other logs"),
        pytest.param([placed("A/Evidence/pg.log"), placed("summary.csv")], {"A"}, id="beside other files of the run"),
        pytest.param([placed("A/x/m", archive=True), placed("B/y/m", archive=True)], {"A", "B"}, id="in archives"),
        pytest.param([placed("A/tuned/m"), placed("B/tuned/m")], set(), id="all of the run"),
        pytest.param([placed("A/before/vmstat"), placed("A/after/vmstat"), placed("A/m")], set(), id="of equal files"),
        pytest.param([placed("A/tuned/m", run=False), placed("B/tuned/m", run=False)], set(), id="of both nodes"),
        pytest.param([placed("A/x/m", run=False), placed("B/m", run=False)], {"A"}, id="of one node, without a run"),
        pytest.param([placed("A/x/m", run=False), placed("B/y/m", run=False)], {"A", "B"}, id="of each its own"),
        pytest.param([placed("A/tuned/m", run=False), placed("A/m", run=False)], set(), id="of the only node"),
    ],
)
def test_folders_within_nodes(files: list[PlacedFile], plain: set[str]) -> None:
    assert {each[-1] for each in folders_of_nodes(files)} == plain
