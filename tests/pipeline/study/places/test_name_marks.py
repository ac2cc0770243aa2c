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
