"""Declarations of tables: what they must say, and where they put a table."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.errors import DeclarationError
from reports.outline import in_order
from reports.study.store import opened
from reports.study.view import STATEMENTS, StudyView
from reports.tables import catalogue
from reports.tables.catalogue import all_tables, declarations, table
from reports.tables.model import Table

REPORTS = Path(__file__).parents[3] / "reports"


def test_declaration_without_a_place_is_an_error_at_import() -> None:
    with pytest.raises(TypeError, match="section"):
        table(after="runs")  # type: ignore[call-arg]  # that is the mistake


@pytest.mark.parametrize(
    ("section", "topic", "message"),
    [
        pytest.param("result", "", "unknown section 'result'", id="no such section"),
        pytest.param("results", "", "the results need one", id="results without a topic"),
        pytest.param("runs", "failover", "topics belong to the results", id="topic of an appendix"),
        pytest.param("results", "fail", "unknown topic 'fail'", id="no such topic"),
    ],
)
def test_declaration_of_a_place_that_no_report_has_is_refused(section: str, topic: str, message: str) -> None:
    def anything(_study: StudyView) -> list[Table]:
        return []

    with pytest.raises(DeclarationError, match=message):
        table(section=section, topic=topic, after="runs")(anything)


def test_second_table_of_a_name_is_refused() -> None:
    def runs(_study: StudyView) -> list[Table]:
        return []

    declarations()
    with pytest.raises(DeclarationError, match=r"table runs: declared in reports\.tables\.failover\.runs too"):
        table(section="runs", after="phases")(runs)
    assert {each.name: each.build for each in declarations()}["runs"] is not runs


def test_what_is_added_stands_behind_the_one_it_names_and_before_what_followed_that() -> None:
    chain = {"a": None, "b": "a", "c": "b", "d": "c"}
    assert in_order(chain) == ["a", "b", "c", "d"]
    assert in_order({"new": "b", **chain}) == ["a", "b", "new", "c", "d"]
    assert in_order({**chain, "new": "d"}) == ["a", "b", "c", "d", "new"]
    with pytest.raises(DeclarationError, match="new: after='x': no table or figure has this name"):
        in_order({**chain, "new": "x"})


def test_statement_of_a_table_lies_beside_its_module() -> None:
    for each in declarations():
        statement = STATEMENTS.get(each.name.replace("-", "_"))
        module = REPORTS.parent / Path(*each.build.__module__.split(".")).with_suffix(".py")
        if statement is not None:
            assert statement.parent == module.parent, each.name


def test_table_of_the_results_lies_in_a_folder_with_its_like() -> None:
    folders = {each.topic: set[str]() for each in declarations() if each.topic}
    for each in declarations():
        if each.topic and each.name != "custom":
            folders[each.topic].add(each.build.__module__.split(".")[2])
    assert folders == {topic: {"failover" if topic == "truth" else topic} for topic in folders}


def test_statements_have_names_of_their_own_and_folders_are_small() -> None:
    names = Counter(file.stem for file in REPORTS.rglob("*.sql"))
    assert [name for name, count in names.items() if count > 1] == []
    folders = Counter(file.parent for file in REPORTS.rglob("*") if file.suffix in (".py", ".sql"))
    assert [folder.name for folder, count in folders.items() if count > 25] == []


def test_table_of_the_study_is_known_by_what_made_it(
    make_store: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A built-in table that nobody listed anywhere leaves the main result in its place; one of the study moves none."""

    def steps(study: StudyView) -> list[Table]:
        return [Table("steps", "New", (), ())] if study.rows("runs") else []

    new = catalogue.Declaration("steps", "results", "failover", "changes", is_marked=True, build=steps)
    before = declarations()
    monkeypatch.setattr(catalogue, "declarations", lambda: (*before, new))

    def places(**changes: object) -> dict[str, str]:
        store = make_store(**changes)
        with opened(store) as connection:
            found = {name: each.section for name, each in all_tables(StudyView(connection)).items()}
        store.unlink()
        return found

    plain = places()
    assert (plain["steps"], plain["milestones-1"], plain["milestones-2"]) == ("results", "results", "results")
    own = places(tables=[{"name": "own", "sql": "select 1 as one", "caption": "Its own"}])
    assert (own["own"], own["milestones-1"], own["milestones-2"]) == ("results", "results", "results")
