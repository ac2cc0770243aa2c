"""A study against an earlier one: each configuration with its partner, and what else differs between the two."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.ask.compare.compare import Comparison, compare
from pipeline.ask.compare.sides import Side, is_one_each
from pipeline.ask.compare.strangers import nothing_in_common
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
    """What two studies have in common. `name`: of the earlier one; `only`: configurations that one of them has.

    `partners`: the configuration of the earlier study by the one of this study that is compared with it.
    """

    name: str
    partners: Mapping[str, str]
    comparisons: Mapping[str, Comparison]
    conditions: tuple[Condition, ...]
    only_here: tuple[str, ...]
    only_earlier: tuple[str, ...]


def against_earlier(store: Path, earlier: Path, label: str = "") -> EarlierStudy:
    """Compare each configuration of a store with its partner in an earlier store, which `label` names.

    Raises UsageError where the two have nothing in common.
    """
    here, there = _configurations(store), _configurations(earlier)
    partners = _partners(here, there)
    comparisons = {
        each: compare(Side(each, store, each), Side(partner, earlier, partner)) for each, partner in partners.items()
    }
    sides = Side(_name(store), store, ""), Side(label or _name(earlier), earlier, "")
    if all(each.is_empty for each in comparisons.values()):
        raise nothing_in_common(sides)
    conditions: list[Condition] = []
    for each, comparison in comparisons.items():
        conditions += [
            Condition(each, change.scope, change.name, change.reference_value, change.value)
            for change in comparison.parameters
        ]
        now, before = _conditions(store, each), _conditions(earlier, partners[each])
        conditions += [
            Condition(each, "system", key, before.get(key), now.get(key))
            for key in sorted({*now, *before})
            if now.get(key) != before.get(key)
        ]
    return EarlierStudy(
        sides[1].name,
        partners,
        comparisons,
        tuple(conditions),
        tuple(each for each in here if each not in partners),
        tuple(each for each in there if each not in partners.values()),
    )


def _partners(here: Sequence[str], there: Sequence[str]) -> dict[str, str]:
    """What is compared with what: the one with the one if each study has one, else namesakes."""
    if is_one_each((here, there)):
        return {here[0]: there[0]}
    return {each: each for each in here if each in there}


def _name(store: Path) -> str:
    with opened(store) as con:
        return info(con, store).study


def _configurations(store: Path) -> list[str]:
    with opened(store) as con:
        return [name for (name,) in con.execute(WITH_RUNS).fetchall()]


def _conditions(store: Path, configuration: str) -> dict[str, str]:
    with opened(store) as con:
        return {str(row["name"]): str(row["value"]) for row in rows(con, CONDITIONS, configuration=configuration)}
