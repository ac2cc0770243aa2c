"""The tables of a report: each declares its place beside its builder, and is found by that.

    @table(section="results", topic="disk", after="throughput-dips")
    def log_flushes(study: StudyView) -> list[Table]:

declares the table `log-flushes`; its statement is `log_flushes.sql` beside the module.
"""

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module

from pipeline.errors import DeclarationError, UsageError
from reports import tables
from reports.outline import in_order, require_place
from reports.study.view import STATEMENTS, StudyView, statement
from reports.tables.model import Table
from reports.tables.origin import marked_table

Builder = Callable[[StudyView], list[Table]]


@dataclass(frozen=True, slots=True)
class Declaration:
    """A table, or several of one kind, with its place; `after` names the one before it in the order of the report."""

    name: str
    section: str
    topic: str
    after: str | None
    is_marked: bool
    build: Builder

    def tables(self, study: StudyView) -> list[Table]:
        """What it is for a study, in its place; empty where the store has no data for it."""
        sql = statement(stem) if (stem := self.name.replace("-", "_")) in STATEMENTS else ""
        found = (
            replace(
                each,
                name=each.name or self.name,
                sql=each.sql or sql,
                section=each.section or self.section,
                topic=each.topic or self.topic,
            )
            for each in self.build(study)
        )
        return [marked_table(study, each) if self.is_marked else each for each in found]


_declared: dict[str, Declaration] = {}


def table(*, section: str, after: str | None, topic: str = "", is_marked: bool = True) -> Callable[[Builder], Builder]:
    """Declare that a function builds a table; its name is the function's, with hyphens.

    `topic` is the part of the results that it belongs to. `is_marked`: whether its values get signs where a program
    made the data; a table of what was read does without, and that of claims marks itself.
    """

    def declare(build: Builder) -> Builder:
        found = Declaration(build.__name__.replace("_", "-"), section, topic, after, is_marked, build)
        require_place(f"table {found.name}", section, topic)
        if found.name in _declared:
            raise DeclarationError(f"table {found.name}: declared in {_declared[found.name].build.__module__} too")
        _declared[found.name] = found
        return build

    return declare


@cache
def declarations() -> tuple[Declaration, ...]:
    """All tables in the order of the report: each after the one that it names, before what followed that one."""
    for module in pkgutil.walk_packages(tables.__path__, f"{tables.__name__}."):
        import_module(module.name)
    return tuple(_declared[name] for name in in_order({each.name: each.after for each in _declared.values()}))


def declared(name: str) -> Declaration:
    """The declaration of a table."""
    return next(each for each in declarations() if each.name == name)


def all_tables(study: StudyView) -> dict[str, Table]:
    """Every table that the store has data for."""
    found: dict[str, Table] = {}
    for declaration in declarations():
        for each in declaration.tables(study):
            if each.name in found:
                raise UsageError(
                    f"study.toml, table {each.name!r}: this name belongs to another table; choose a free one"
                )
            found[each.name] = each
    return found
