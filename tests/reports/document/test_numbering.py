"""Numbers of tables: counted in the order of the report, but for those that the study gives itself."""

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from reports.document.document import compose
from reports.document.products import by_name_or_number
from reports.study.store import opened
from reports.study.view import StudyView
from reports.tables.catalogue import all_tables

Maker = Callable[..., Path]
OWN = {"name": "own", "sql": "select 1 as one", "caption": "Its own"}


@pytest.mark.parametrize("paper", ["Table 3.7", "3.7", "table 3.7"])
def test_tables_are_counted_as_they_are_read_with_the_number_of_the_paper_beside(make_store: Maker, paper: str) -> None:
    with opened(make_store(tables=[OWN | {"options": {"paper": paper}}])) as connection:
        study = StudyView(connection)
        document = compose(study, all_tables(study), {})
        found = {each.item.name: each for each in document.listed_tables}
        assert by_name_or_number(document.numbered_tables(), "Table 3.7").name == "own"  # type: ignore[union-attr]  # it is there
    assert [each.number for each in found.values()] == [f"Table {place}" for place in range(1, len(found) + 1)]
    assert found["own"].heading == f"{found['own'].number} (paper: 3.7)"
    assert [name for name, each in found.items() if each.heading != each.number] == ["own"]


def test_of_two_numbers_that_are_alike_the_one_of_the_paper_is_meant(make_store: Maker) -> None:
    with opened(make_store(tables=[OWN | {"options": {"paper": "Table 1"}}])) as connection:
        study = StudyView(connection)
        tables = compose(study, all_tables(study), {}).numbered_tables()
    assert next(iter(tables)) != "own"
    assert by_name_or_number(tables, "Table 1") is tables["own"]


def test_a_table_in_place_of_two_of_the_paper_is_known_by_either_number(make_store: Maker) -> None:
    with opened(make_store(tables=[OWN | {"options": {"paper": "Tables 3 and 5"}}])) as connection:
        study = StudyView(connection)
        tables = compose(study, all_tables(study), {}).numbered_tables()
    assert tables["own"].label.endswith("(paper: 3 and 5)")
    assert by_name_or_number(tables, "Table 5") is by_name_or_number(tables, "Tables 3 and 5") is tables["own"]


def test_the_command_below_a_table_writes_this_table(make_store: Maker) -> None:
    with opened(make_store(tables=[OWN | {"name": "it's own", "options": {"paper": "Table 1"}}])) as connection:
        study = StudyView(connection)
        document = compose(study, all_tables(study), {})
    tables = document.numbered_tables()
    commands = {each.item.name: shlex.split(each.command) for each in document.listed_tables}
    assert commands["it's own"] == ["haledger", "tables", "it's own"]
    assert all(by_name_or_number(tables, command[-1]) is tables[name] for name, command in commands.items())


@pytest.mark.parametrize("label", ["Table 2", "2"])
def test_a_table_has_the_number_that_the_study_gives_and_no_other_has_it(make_store: Maker, label: str) -> None:
    with opened(make_store(tables=[OWN | {"options": {"label": label}}])) as connection:
        study = StudyView(connection)
        found = {each.item.name: each.heading for each in compose(study, all_tables(study), {}).listed_tables}
    assert found.pop("own") == "Table 2"
    assert list(found.values()) == [f"Table {place}" for place in range(1, len(found) + 2) if place != 2]
