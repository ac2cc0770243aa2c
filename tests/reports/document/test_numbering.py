"""Numbers of tables: those that the study gives, and those left for the others."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.errors import UsageError
from reports.document.document import compose
from reports.study.store import opened
from reports.study.view import StudyView
from reports.tables.catalogue import all_tables

Maker = Callable[..., Path]
OWN = {"name": "own", "sql": "select 1 as one", "caption": "Its own"}


def numbers_of(store: Path) -> dict[str, str]:
    with opened(store) as connection:
        study = StudyView(connection)
        document = compose(study, all_tables(study), {})
        return {each.item.name: each.number for each in document.listed_tables}


@pytest.mark.parametrize("label", ["Table 1", "1", "table 1"])
def test_number_that_the_study_gives_is_given_once(make_store: Maker, label: str) -> None:
    found = numbers_of(make_store(tables=[OWN | {"options": {"label": label}}]))
    assert found["own"].lower() == "table 1"
    assert len({number.lower() for number in found.values()}) == len(found)
    assert next(number for name, number in found.items() if name != "own") == "Table 2"


def test_other_numbers_are_counted_without_gaps(make_store: Maker) -> None:
    found = list(numbers_of(make_store(tables=[OWN | {"options": {"label": "Table 3.7"}}])).values())
    assert [number for number in found if number != "Table 3.7"] == [f"Table {place}" for place in range(1, len(found))]


def test_option_that_no_table_has_is_refused(make_store: Maker) -> None:
    store = make_store(tables=[OWN | {"options": {"decimal": 2}}])
    with opened(store) as connection, pytest.raises(UsageError, match=r"no option 'decimal'.*decimals, place"):
        all_tables(StudyView(connection))
