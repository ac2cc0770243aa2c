"""docs/study-toml.md says all that study.toml may declare, and nothing else."""

import re
from pathlib import Path
from typing import get_args

import pytest

from pipeline.study import manifest_entries as entries
from pipeline.study.branding_options import HouseStyle
from pipeline.study.manifest_tables import Tables
from pipeline.study.prose import FUNCTIONS
from pipeline.study.publication_options import FIGURE_KINDS, OWN_FIGURE, OWN_TABLE, TABLE_KINDS, Kind, Options
from reports.figures.catalogue import kinds
from reports.findings.sections import Values
from reports.outline import SECTIONS
from reports.study.store import opened
from reports.study.view import StudyView
from tests.support import study_store

ROOT = Path(__file__).parents[2]
REFERENCE = (ROOT / "docs" / "study-toml.md").read_text(encoding="utf-8")

ENTRIES: dict[str, type[entries.Entry]] = {
    "[study]": entries.Study,
    "[report]": HouseStyle,
    "[configuration.NAME]": entries.Configuration,
    "[node.NAME]": entries.Node,
    "[[run]]": entries.Run,
    "[[files]]": entries.FileOverride,
    "[[format]]": entries.LogFormat,
    "[[event]]": entries.Event,
    "[[milestone]]": entries.Milestone,
    "[[claim]]": entries.Claim,
    "[[table]]": entries.OwnTable,
    "[[section]]": entries.Section,
}


def part(heading: str) -> str:
    """The text below a heading, up to the next one of its rank or above."""
    rank = heading.partition(" ")[0]
    found = re.search(rf"^{re.escape(heading)}\n(.*?)(?=^#{{2,{len(rank)}}} |\Z)", REFERENCE, re.MULTILINE | re.DOTALL)
    assert found, heading
    return found[1]


def named(text: str, head: str) -> set[str]:
    """The names in the first columns of the tables that are headed so."""
    tables = re.findall(rf"^\| {head} \|.*\n\|---\|---\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    rows = [row.split(" | ")[0] for table in tables for row in table.splitlines()]
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


@pytest.mark.parametrize("heading", ENTRIES)
def test_every_key_is_described_and_no_other(heading: str) -> None:
    assert named(part(f"## `{heading}`"), "key") == set(ENTRIES[heading].model_fields)


def test_every_table_of_the_file_is_described() -> None:
    described = re.findall(r"^## `\[+(\w+)(?:\.NAME)?\]+`", REFERENCE, re.MULTILINE)
    assert set(described) == {field.alias or name for name, field in Tables.model_fields.items()}


def options_of(kind: Kind) -> set[str]:
    """The options that only this kind has; others are keys of every table or figure."""
    return set(kind.options.model_fields) - set(Options.model_fields) - {"replaces", "heads"}


@pytest.mark.parametrize("kind", FIGURE_KINDS)
def test_options_of_every_kind_of_figure_are_reported(kind: str) -> None:
    assert named(part(f"### `{kind}`"), "option") == options_of(FIGURE_KINDS[kind])


def test_every_kind_of_figure_is_described_and_drawn_and_no_other() -> None:
    assert set(re.findall(r"^### `([^`]+)`", REFERENCE, re.MULTILINE)) == set(FIGURE_KINDS) == set(kinds())


def test_options_of_tables_are_reported() -> None:
    before, after = part("## `[[table]]`").split("Options of tables of kind `milestones`:")
    assert named(before, "option") == options_of(OWN_TABLE)
    assert named(after, "option") == options_of(TABLE_KINDS["milestones"])
    assert options_of(OWN_FIGURE) == set()


def test_prose_may_be_in_every_section_of_the_report() -> None:
    places = set(get_args(entries.SectionPlace))
    assert places == set(SECTIONS) == set(re.findall(r"`(\w+)`", part("## `[[section]]`"))) - {"title", "place", "body"}


def test_functions_of_prose_are_reported(tmp_path: Path) -> None:
    with opened(study_store.write(tmp_path / "store.duckdb", study_store.paper())) as store:
        functions = Values(StudyView(store)).functions()
    assert named(part("## Prose"), "function") == set(functions) == set(FUNCTIONS)


def test_factors_that_are_considered_are_reported() -> None:
    statements = [path.read_text(encoding="utf-8") for path in (ROOT / "pipeline" / "sql").rglob("*.sql")]
    used = {name for sql in statements for name in re.findall(r"\bfactor = '(\w+)'", sql)}
    assert named(part("## `[configuration.NAME]`"), "factor") == used
