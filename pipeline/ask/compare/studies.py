"""A study against an earlier one: each configuration with its namesake, and what else differs between the two."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline.ask.compare.compare import Comparison, compare
from pipeline.ask.compare.sides import Side
from pipeline.store.statements import rows
from pipeline.store.store import info, opened

WITH_RUNS = """
select configuration from configuration_order where configuration in (select configuration from run) order by position
"""
CONDITIONS = """
select
    subject || ' ' || name as name,
    string_agg(distinct value, ' / ' order by value) as value

from environment

where configuration = $configuration and name not in ('online', 'hostname')

group by all

order by all
"""


@dataclass(frozen=True, slots=True)
class Condition:
    """A parameter, or something of machines and software, that differs. None: that study's files do not state it."""

    configuration: str
    kind: str
    name: str
    earlier: str | None
    value: str | None


@dataclass(frozen=True, slots=True)
class EarlierStudy:
    """What two studies have in common. `name`: of the earlier one; `only`: configurations that one of them has."""

    name: str
    comparisons: Mapping[str, Comparison]
    conditions: tuple[Condition, ...]
    only_here: tuple[str, ...]
    only_earlier: tuple[str, ...]


def against_earlier(store: Path, earlier: Path) -> EarlierStudy:
    """Compare each configuration of a store with the one of the same name in an earlier store."""
    here, there = _configurations(store), _configurations(earlier)
    both = [each for each in here if each in there]
    with opened(earlier) as con:
        name = info(con, earlier).study
    comparisons = {each: compare(Side(each, store, each), Side(each, earlier, each)) for each in both}
    conditions: list[Condition] = []
    for each, comparison in comparisons.items():
        conditions += [
            Condition(each, change.scope, change.name, change.reference_value, change.value)
            for change in comparison.parameters
        ]
        now, before = _conditions(store, each), _conditions(earlier, each)
        conditions += [
            Condition(each, "system", key, before.get(key), now.get(key))
            for key in sorted({*now, *before})
            if now.get(key) != before.get(key)
        ]
    return EarlierStudy(
        name,
        comparisons,
        tuple(conditions),
        tuple(each for each in here if each not in there),
        tuple(each for each in there if each not in here),
    )


def _configurations(store: Path) -> list[str]:
    with opened(store) as con:
        return [name for (name,) in con.execute(WITH_RUNS).fetchall()]


def _conditions(store: Path, configuration: str) -> dict[str, str]:
    with opened(store) as con:
        return {str(row["name"]): str(row["value"]) for row in rows(con, CONDITIONS, configuration=configuration)}
