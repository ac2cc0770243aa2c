import re
from pathlib import Path

import polars as pl
import pytest

from parsers.vcs_message import VCS_EVENT
from parsers.vcs_vocabulary import FIELD_NAMES, FIELDS, KIND_BY_ID, KIND_BY_PRINTED_ID, KIND_BY_TEXT

ARCHITECTURE = Path(__file__).parents[2] / "docs" / "architecture.md"
(VOCABULARY,) = re.findall(r"`vcs_event\.kind`:([^.]*)\.", ARCHITECTURE.read_text())
KINDS = set(re.findall(r"\w+", VOCABULARY))


def test_kinds_are_of_the_vocabulary() -> None:
    named = {
        *KIND_BY_ID.values(),
        *(kind for kind, _ in KIND_BY_TEXT),
        *(kind for kinds, _ in FIELDS for kind in kinds),
    }
    assert named <= KINDS


def test_every_kind_is_told_from_text() -> None:
    assert {kind for kind, _ in KIND_BY_TEXT} == KINDS - {"other"}


def test_a_number_means_the_same_in_every_category() -> None:
    assert len(KIND_BY_PRINTED_ID) == 2 * len(KIND_BY_ID)


@pytest.mark.parametrize("pattern", [pattern for _, pattern in FIELDS])
def test_groups_of_a_pattern_are_fields(pattern: str) -> None:
    groups = pl.Series([""]).str.extract_groups(pattern).struct.fields
    assert set(groups) <= set(FIELD_NAMES)


def test_fields_are_columns() -> None:
    assert set(FIELD_NAMES) - {"cause"} <= set(VCS_EVENT.schema)
