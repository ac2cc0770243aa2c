"""How fields of a table print: where something holds, numbers of a column, verdicts; and what is left out."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from reports.tables.fields import compact, from_rows, place_names, verdict, word

if TYPE_CHECKING:
    from reports.study.view import StudyView

STUDY = cast("StudyView", SimpleNamespace(label=str.upper))


@pytest.mark.parametrize(
    ("configurations", "everywhere", "printed"),
    [
        pytest.param("a", "a", "A", id="the only one of the study"),
        pytest.param("ab", "ab", "all", id="all"),
        pytest.param("a", "ab", "A", id="half of them"),
        pytest.param("abd", "abcd", "all but C", id="most"),
        pytest.param("ab", "abcde", "A; B", id="few"),
    ],
)
def test_places_are_named_by_the_fewer(configurations: str, everywhere: str, printed: str) -> None:
    found = place_names(STUDY, list(configurations), list(everywhere))
    assert found == printed


def test_a_column_without_values_is_left_out_with_its_note_and_the_others_share_their_decimals() -> None:
    rows = [{"what": "a", "where": None, "size": 1.25}, {"what": "b", "where": None, "size": 100.0}]
    fields = [word("What", "what"), word("Where", "where"), compact("Size", "size")]
    (table,) = from_rows(rows, "Sizes", fields, source="", note="Where: the place. Size: in MB.")
    assert [each.label for each in table.columns] == ["What", "Size"]
    assert [[cell.text for cell in row] for row in table.rows] == [["a", "1.3"], ["b", "100.0"]]
    assert table.notes == ("Size: in MB.",)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("6.9 % less (95 % CI 4.1 to 9.7 %)", "6.9\u00a0% less"),
        ("no difference shown after correction for 32 comparisons; differences above 15 % are ruled out", None),
        ("inconclusive: anything from 40 % less to 3 % more", "inconclusive"),
        (
            "equal within the margin of 5.0 %; differences above 4 % are ruled out",
            "equal within the margin of 5.0\u00a0%",
        ),
        ("the same; no interval with fewer than 3 runs", "the same"),
    ],
)
def test_a_verdict_says_nothing_that_stands_beside_it(said: str, shown: str | None) -> None:
    assert verdict().cell({"verdict": said}).text == (shown or "no difference shown after correction")
