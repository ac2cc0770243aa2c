"""docs/study-toml.md says all that study.toml may state, and nothing else."""

import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from pipeline import manifest_entries as entries
from pipeline import rules
from pipeline.errors import UsageError
from pipeline.house_style import HouseStyle
from pipeline.manifest import parse
from pipeline.manifest_keys import Keys
from reports.figures.catalogue import OPTIONS as FIGURE_OPTIONS
from reports.sections import Values
from reports.store import opened
from reports.study_view import StudyView
from reports.tables.study import OPTIONS as TABLE_OPTIONS
from tests.reports import study_store

ROOT = Path(__file__).parents[1]
REFERENCE = (ROOT / "docs" / "study-toml.md").read_text(encoding="utf-8")
AT = datetime(2003, 7, 28)  # noqa: DTZ001  any time

READERS: dict[str, tuple[Callable[[Keys], object], dict[str, object]]] = {  # and what the entry needs
    "[study]": (entries.Study.read, {}),
    "[report]": (HouseStyle.read, {}),
    "[configuration.NAME]": (lambda keys: entries.Configuration.read("tuned", keys), {}),
    "[node.NAME]": (lambda keys: entries.Node.read("elm", keys), {}),
    "[[run]]": (lambda keys: entries.Run.read(keys, _moment), {}),
    "[[files]]": (entries.FileOverride.read, {"match": "a"}),
    "[[event]]": (lambda keys: entries.Event.read(keys, _moment), {"at": AT, "text": "pulled"}),
    "[[claim]]": (entries.Claim.read, {"sql": "select true"}),
    "[[table]]": (entries.Publication.read, {"name": "a", "sql": "select 1"}),
    "[[section]]": (entries.Section.read, {"body": "x"}),
}


def _moment(keys: Keys, key: str) -> datetime | None:
    keys.known.append(key)
    return AT if key in keys.values else None


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


@pytest.mark.parametrize("heading", READERS)
def test_every_key_is_told_and_no_other(heading: str) -> None:
    read, needed = READERS[heading]
    keys = Keys(dict(needed), heading, "", "study.toml")
    read(keys)
    assert named(part(f"## `{heading}`"), "key") == set(keys.known)


def test_keys_of_milestones_are_told() -> None:
    assert named(part("## `[[milestone]]`"), "key") == set(rules.USER_KEYS)


def test_every_table_of_the_file_is_told() -> None:
    told = {name.strip("[]").removesuffix(".NAME") for name in re.findall(r"^## `(\[.*\])`", REFERENCE, re.MULTILINE)}
    with pytest.raises(UsageError, match="unknown key 'nothing_at_all_like_it'") as refused:
        parse(b"[nothing_at_all_like_it]\n")
    assert told == set(str(refused.value).split("known keys: ")[1].split(", "))


@pytest.mark.parametrize("kind", FIGURE_OPTIONS)
def test_options_of_every_kind_of_figure_are_told(kind: str) -> None:
    assert named(part(f"### `{kind}`"), "option") == set(FIGURE_OPTIONS[kind])


def test_no_other_kind_of_figure_is_told() -> None:
    assert set(re.findall(r"^### `([^`]+)`", REFERENCE, re.MULTILINE)) == set(FIGURE_OPTIONS)


def test_options_of_tables_are_told() -> None:
    before, after = part("## `[[table]]`").split("Options of tables of kind `milestones`:")
    assert named(before, "option") == set(TABLE_OPTIONS["sql"])
    assert named(after, "option") == set(TABLE_OPTIONS["milestones"])


def test_functions_of_prose_are_told(tmp_path: Path) -> None:
    with opened(study_store.write(tmp_path / "store.duckdb", study_store.paper())) as store:
        functions = Values(StudyView(store), "").functions()
    assert named(part("## Prose"), "function") == set(functions)


def test_factors_that_are_reckoned_with_are_told() -> None:
    statements = [path.read_text(encoding="utf-8") for path in (ROOT / "pipeline" / "sql" / "views").glob("*.sql")]
    used = {name for sql in statements for name in re.findall(r"\bfactor = '(\w+)'", sql)}
    assert named(part("## `[configuration.NAME]`"), "factor") == used
