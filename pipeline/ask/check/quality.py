"""The built-in rules on the quality of a study's data: what the relation `finding` doubts, by rule."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import duckdb

from pipeline.errors import UsageError
from pipeline.store.findings import findings
from pipeline.store.statements import rows
from pipeline.suggestions import hint

FINDINGS = """
select
    finding.kind,
    finding.severity,
    finding.configuration,
    finding.run,
    finding.text,
    source_file.path,
    finding.line_no

from finding

left join source_file
    on finding.file_id = source_file.file_id

left join configuration_order
    on finding.configuration = configuration_order.configuration

order by
    finding.kind,
    finding.severity desc,
    configuration_order.position nulls first,
    finding.run,
    finding.text,
    source_file.path
"""


@dataclass(frozen=True, slots=True)
class Doubt:
    """What a rule found. `severity`: warning (may change a result) or note; `path`, `line_no`: where."""

    severity: str
    configuration: str | None
    run: str | None
    text: str
    path: str | None
    line_no: int | None


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule that found something. `is_fatal`: it was named by `--fail-on`."""

    rule: str
    is_fatal: bool
    doubts: tuple[Doubt, ...]

    @property
    def is_warning(self) -> bool:
        """Whether any of it may change a result."""
        return any(each.severity == "warning" for each in self.doubts)

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        verdict = "FAIL" if self.is_fatal else ("WARN" if self.is_warning else "NOTE")
        return {"rule": self.rule, "verdict": verdict, "findings": [asdict(each) for each in self.doubts]}


def rules() -> tuple[str, ...]:
    """The names of all rules: the kinds of findings."""
    return tuple(each.kind for each in findings())


def broken_rules(con: duckdb.DuckDBPyConnection) -> list[Broken]:
    """The rules that found something: warnings first, then notes."""
    return broken(rows(con, FINDINGS))


def broken(findings_in_order: Iterable[Mapping[str, Any]]) -> list[Broken]:
    """The same of findings that are read: rows of the relation `finding`, with the path of each."""
    found: dict[str, list[Doubt]] = defaultdict(list)
    for row in findings_in_order:
        found[row["kind"]].append(Doubt(**{each.name: row[each.name] for each in fields(Doubt)}))
    return gravest_first(Broken(kind, is_fatal=False, doubts=tuple(doubts)) for kind, doubts in found.items())


def gravest_first(broken: Iterable[Broken], fail_on: Sequence[str] = ()) -> list[Broken]:
    """Rules with those of `--fail-on` as fatal ones, which come first, before warnings and notes."""
    named = [replace(each, is_fatal=each.rule in fail_on) for each in broken]
    return sorted(named, key=lambda each: (not each.is_fatal, not each.is_warning, each.rule))


def refuse_unknown(names: Sequence[str]) -> None:
    """Refuse a rule that does not exist, with the nearest that does."""
    for name in names:
        if name not in rules():
            raise UsageError(f"--fail-on {name}: no such rule{hint(name, rules())}")
