"""In which configurations something holds: the shorter way to say it, and a way to say it for any study."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from reports.tables.fields import place_names

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
