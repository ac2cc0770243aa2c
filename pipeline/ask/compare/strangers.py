"""What is said where two studies, or two configurations, have nothing that could be compared."""

from collections.abc import Iterable, Sequence
from itertools import combinations, product

from pipeline.ask.compare.sides import Side
from pipeline.errors import UsageError
from pipeline.store.statements import Row, rows
from pipeline.store.store import opened

OF_THE_TOOL = frozenset({"initial_connection_ms"})
"""Metrics of the program that measures, which nobody compares systems by."""

CONTENT = """
select
    configuration,
    array(
        select distinct item from sample_stats
        where sample_stats.configuration = names.configuration and not list_contains($of_the_tool, item)
        order by item
    ) as results,
    array(
        select distinct format from source_file
        where
            status = 'parsed'
            and (
                source_file.configuration = names.configuration
                or coalesce(source_file.configuration not in (select configuration from run), true)
            )
        order by format
    ) as formats

from configuration_order as names

where configuration in (select configuration from run)

order by position
"""
MOST_NAMED = 5
"""Configurations, formats or results of a side that the message lists."""


def nothing_in_common(sides: Iterable[Side]) -> UsageError:
    """Say what each side has instead, and name two that can be compared. A side without a configuration: all it has."""
    found = {side: _content(side) for side in sides}
    pairs = (pair for own, others in combinations(found.values(), 2) for pair in product(own, others))
    like = next((pair for pair in pairs if set(pair[0]["results"]) & set(pair[1]["results"])), ())
    names = " FILE:".join(row["configuration"] for row in like)
    return UsageError(
        f"{' and '.join(side.name for side in found)} have {'no configuration' if like else 'nothing'} in common: "
        + "; ".join(f"{side.name} has {_told(side, content)}" for side, content in found.items())
        + (f". To compare two of them: `haledger compare FILE:{names}`" if like else "")
    )


def _content(side: Side) -> list[Row]:
    with opened(side.store) as con:
        content = rows(con, CONTENT, of_the_tool=list(OF_THE_TOOL))
    return [each for each in content if side.configuration in ("", each["configuration"])]


def _told(side: Side, content: Sequence[Row]) -> str:
    """The configurations of a side, the formats of its files and what they show."""
    formats, results = (sorted({each for row in content for each in row[key]}) for key in ("formats", "results"))
    told = f"{_some(results) or 'no results'} (from {_some(formats) or 'no file'})"
    names = [row["configuration"] for row in content]
    return told if names in ([], [side.name], [side.configuration]) else f"{_some(names)}: {told}"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more
