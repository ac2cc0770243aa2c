from datetime import datetime, timedelta

import pytest

from pipeline.study.places.name_marks import NamedFile, nodes_by_marks


def named(*files: tuple[str, str | None], folder: str = "run1") -> list[NamedFile]:
    return [NamedFile(folder, name, host) for name, host in files]


KNOWN = named(("corosync A.log", "elm"), ("corosync B.log", "oak"))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("postgresql A.log", id="one character needs the other's file beside it"),
        pytest.param("engine_A.log", id="a name that its program gives"),
        pytest.param("notes.txt", id="no mark"),
        pytest.param("A B.log", id="marks of both"),
    ],
)
def test_a_name_that_shows_no_node(name: str) -> None:
    assert nodes_by_marks([*KNOWN, *named((name, None))]) == {}


def test_names_that_differ_by_the_mark_are_of_its_nodes() -> None:
    files = [
        *KNOWN,
        *named(("Test 1 - A - pg.log", None), ("Test 1 - B - pg.log", None)),
        *named(("engine_A_A.log", None)),
    ]
    found = nodes_by_marks([*files, *named(("engine_A_B.log", None))])
    assert found == {
        ("run1", "Test 1 - A - pg.log"): ("elm", "a"),
        ("run1", "Test 1 - B - pg.log"): ("oak", "b"),
        ("run1", "engine_A_A.log"): ("elm", "a"),
        ("run1", "engine_A_B.log"): ("oak", "b"),
    }


def test_a_longer_mark_counts_alone_and_in_other_folders() -> None:
    files = [*named(("m_left.log", "elm"), ("m_right.log", "oak")), *named(("pg_left.log", None), folder="run2")]
    assert nodes_by_marks(files) == {("run2", "pg_left.log"): ("elm", "left")}


@pytest.mark.parametrize(
    "files",
    [
        pytest.param((("m_1.log", "elm"), ("m_2.log", "oak"), ("pg_1.log", None), ("pg_2.log", None)), id="numbers"),
        pytest.param((("m_left.log", "elm"), ("pg_left.log", None)), id="one host only"),
        pytest.param((("m_old.log", "elm"), ("m_new.log", "elm"), ("pg_old.log", None)), id="of one host"),
        pytest.param(
            (("m_x.log", "elm"), ("m_y.log", "oak"), ("n_x.log", "oak"), ("n_y.log", "elm"), ("pg_x.log", None)),
            id="of another host elsewhere",
        ),
    ],
)
def test_what_is_no_mark(files: tuple[tuple[str, str | None], ...]) -> None:
    assert nodes_by_marks(named(*files)) == {}


def logs(*names: str, kind: str | None = "dated_log", minutes: tuple[int, ...] = (0, 5, 2)) -> list[NamedFile]:
    """Logs of ten minutes that name no host, and when each begins."""
    begun = datetime(2026, 11, 24, 10)  # noqa: DTZ001  as printed
    at = [(begun + timedelta(minutes=each), begun + timedelta(minutes=each + 10)) for each in minutes]
    return [NamedFile("run1", name, None, kind, span) for name, span in zip(names, at, strict=False)]


@pytest.mark.parametrize("name", ["{}.err", "{}-mariadb.log", "mariadb_{}.log.1", "pg {} (old).log"])
def test_words_with_numbers_are_the_nodes_of_logs_of_one_time_that_name_no_host(name: str) -> None:
    names = [name.format(each) for each in ("node1", "Node2", "node3")]
    files = [*logs(*names), *named(("slow node2.log", None))]
    found = nodes_by_marks(files)
    expected = {("run1", each): (node, node) for each, node in zip(names, ("node1", "node2", "node3"), strict=True)}
    assert found == expected | {("run1", "slow node2.log"): ("node2", "node2")}


@pytest.mark.parametrize(
    "files",
    [
        pytest.param(logs("node1.log"), id="one alone"),
        pytest.param(logs("node1.log", "node2.log", kind=None), id="no logs of the service"),
        pytest.param(logs("run1.log", "run2.log"), id="runs"),
        pytest.param(logs("etcd1.log", "pg2.log"), id="different words"),
        pytest.param(logs("etcd.log", "patroni.log"), id="words without numbers"),
        pytest.param(logs("mongod-1.log", "mongod-2.log"), id="numbers without words"),
        pytest.param(logs("node1.log", "node2.log", minutes=(0, 10)), id="one after the other"),
        pytest.param([*logs("node1.log"), *logs("node2.log", kind="patroni")], id="of two programs"),
    ],
)
def test_what_distinguishes_no_nodes(files: list[NamedFile]) -> None:
    assert nodes_by_marks(files) == {}
