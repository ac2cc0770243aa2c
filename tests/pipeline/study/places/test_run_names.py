import pytest

from pipeline.discovery.path_parts import parts
from pipeline.study.places.run_names import is_number, is_run, kind_of_run, number_of, run_of_path


@pytest.mark.parametrize(
    ("path", "above", "text", "number", "origin"),
    [
        pytest.param("tuned/run03/messages", set(), "run03", 3, "folder", id="a word and a number"),
        pytest.param("tuned/2003-07-28T10.27/messages", set(), "2003-07-28T10.27", None, "folder", id="date and time"),
        pytest.param("tuned/7/messages", {1}, "7", 7, "folder", id="a bare number where it counts"),
        pytest.param("tuned/7/messages", set(), None, None, None, id="a bare number elsewhere"),
        pytest.param("tuned/nearsync_run03.txt", set(), "run03", 3, "file name", id="the file's stem"),
        pytest.param("tuned/messages.3", {0}, None, None, None, id="a rotation suffix never"),
        pytest.param("test2/7/messages", {1}, "test2", 2, "folder", id="one with a word before a deeper number"),
        pytest.param("run1/trial_2/messages", set(), "trial_2", 2, "folder", id="the deepest of those with a word"),
    ],
)
def test_the_run_of_a_path(
    path: str, above: set[int], text: str | None, number: int | None, origin: str | None
) -> None:
    folders, name = parts(path)
    found = run_of_path(folders, range(len(folders)), name, above)
    assert (found.text, found.number, found.origin) == (text, number, origin)


@pytest.mark.parametrize(
    ("folder", "number"),
    [
        *(("Test 1", 1), ("Run #2", 2), ("Versuch 3", 3), ("essai-4", 4), ("prueba 5", 5), ("prova 6", 6)),
        *(("Lauf 7", 7), ("Failover Test 1 (Mo)", 1), ("Lauf Nr. 8", 8), ("kill -9 run 12", 12), ("Test 2 (Di)", 2)),
        *(("pull-plug_test_3 2026-03-01", 3), ("Run n° 9", 9), ("Failover 1", 1), ("crash-02", 2), ("Ausfall3", 3)),
        *(("1. Versuch", 1), ("2nd run", 2), ("3_Test (Mo)", 3), ("2er essai", 2)),
    ],
)
def test_words_of_several_languages_and_longer_names_are_runs(folder: str, number: int) -> None:
    found = run_of_path(parts(f"tuned/{folder}/m")[0], range(2), "m", ())
    assert (found.text, found.number) == (folder, number)


@pytest.mark.parametrize(
    "folder",
    [
        *(
            "2003-07-28 Test am Vormittag",
            "28.07.2003",
            "28.7.2003 Failover",
            "Test vom 28.07.2003",
            "failover 2003-07-28",
        ),
        *("2003-07-28_1", "20030728-02", "2003-07-28 #12", "28.07.2003_3", "2003-07-28_1027_2"),
    ],
)
def test_a_date_with_words_about_a_run_or_a_count_is_one(folder: str) -> None:
    found = run_of_path(parts(f"tuned/{folder}/m")[0], range(2), "m", ())
    assert (found.text, found.number, found.word) == (folder, None, None)


def test_what_was_done_is_the_kind_of_a_run() -> None:
    names = ["Failover 1", "Failover Test 1", "Switchover-2", "run01", "1. Failover", "tuned"]
    assert [kind_of_run(each) for each in names] == ["Failover", "Failover", "Switchover", "", "Failover", ""]


@pytest.mark.parametrize(
    "folder",
    [
        "failover-2004",
        "crash_2003",
        "2003-07-28 tuned",
        "20030728-contest",
        "1.2.3",
        "fs14-cfs",
        "prestart-fs2",
        "run1a",
        "test3-tuned",
        "latest1",
        "db-rep1",
        "contest 4",
    ],
)
def test_other_names_with_numbers_are_none(folder: str) -> None:
    assert not is_run(folder)


def test_what_was_passed_over_is_reported() -> None:
    folders, name = parts("run1/trial_2/messages")
    assert run_of_path(folders, range(2), name, ()).source == "folder trial_2, before folder run1"


@pytest.mark.parametrize(
    ("folder", "is_one", "is_bare"),
    [
        ("run-1", True, False),
        ("20030728", True, True),
        ("12", False, True),
        ("elm-2", False, False),
        ("20240222T073144.939+0530", True, False),  # of a store of Jepsen
        ("20030728-2003", True, False),
    ],
)
def test_names_of_runs_are_distinguished_from_others(folder: str, *, is_one: bool, is_bare: bool) -> None:
    assert (is_run(folder), is_number(folder)) == (is_one, is_bare)


@pytest.mark.parametrize(("run", "number"), [("run03", 3), ("2#1", 1), ("a", None), ("", None)])
def test_the_last_number_is_the_run_s(run: str, number: int | None) -> None:
    assert number_of(run) == number
