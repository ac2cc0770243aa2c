"""The figures of a report: each declares its place beside its builder, and is found by that.

    @figure(topic="planning", after=None)
    def hadr_throughput(study: StudyView, _own: Sequence[Figure]) -> list[Figure]:

declares what a report draws unasked; `_own` are the figures that the study draws itself. A function with

    @kind

draws what study.toml asks for under its name; `pipeline.study.publication_options` declares the options of each kind.
"""

import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import TypeVar

from pipeline.errors import DeclarationError, UsageError
from pipeline.study.publication_options import FIGURE_KINDS
from reports import figures
from reports.figures import run_counts
from reports.figures.measured.bars import bars
from reports.figures.model import Figure
from reports.figures.origin import marked_figure
from reports.figures.request import Request
from reports.naming import Naming
from reports.outline import TOPICS, in_order
from reports.study.store import Row
from reports.study.view import StudyView, chosen, options_of

PLACES = ("environment", *TOPICS, "runs", "cluster")
"""Parts of the report that figures are in, in its order: topics of the results, and sections."""

Builder = Callable[[StudyView, Sequence[Figure]], Sequence[Figure] | Figure | None]
Drawing = Callable[[Request], Figure | None]
Building = TypeVar("Building", bound=Builder)
Drawn = TypeVar("Drawn", bound=Drawing)


@dataclass(frozen=True, slots=True)
class Declaration:
    """Figures of one kind that a report draws unasked; `after` names those before them in the order of the report."""

    name: str
    topic: str
    after: str | None
    build: Builder

    def figures(self, study: StudyView, own: Sequence[Figure]) -> list[Figure]:
        """What they are for a study that draws some itself; empty where the store has no data for them."""
        found = self.build(study, own)
        shown = [found] if isinstance(found, Figure) else list(found or ())
        return [replace(each, topic=self.topic) for each in shown]


_declared: dict[str, Declaration] = {}
_kinds: dict[str, Drawing] = {}


def figure(*, topic: str, after: str | None) -> Callable[[Building], Building]:
    """Declare that a function draws figures of a part of the report; they are named after the function."""

    def declare(build: Building) -> Building:
        found = Declaration(build.__name__.replace("_", "-"), topic, after, build)
        if topic not in PLACES:
            raise DeclarationError(f"figure {found.name}: unknown topic {topic!r}; expected one of {', '.join(PLACES)}")
        if found.name in _declared:
            raise DeclarationError(f"figure {found.name}: declared in {_declared[found.name].build.__module__} too")
        _declared[found.name] = found
        return build

    return declare


def kind(draw: Drawn) -> Drawn:
    """Declare that a function draws the figures of study.toml of the kind that it is named after."""
    _kinds[draw.__name__.replace("_", "-")] = draw
    return draw


@cache
def _discovered() -> None:
    for module in pkgutil.walk_packages(figures.__path__, f"{figures.__name__}."):
        import_module(module.name)


def kinds() -> dict[str, Drawing]:
    """All kinds of figures that study.toml may ask for."""
    _discovered()
    return dict(sorted(_kinds.items()))


def declarations() -> tuple[Declaration, ...]:
    """All figures that a report draws unasked, in its order."""
    _discovered()
    return tuple(_declared[name] for name in in_order({each.name: each.after for each in _declared.values()}))


def all_figures(study: StudyView) -> dict[str, Figure]:
    """Every figure that the store has data for: the built-in ones, then the study's own."""
    own = study_figures(study)
    built_in = [each for declaration in declarations() for each in declaration.figures(study, own)]
    found: dict[str, Figure] = {}
    for each in sorted(built_in + own, key=lambda figure: PLACES.index(figure.topic)):
        if each.name in found:
            raise UsageError(
                f"study.toml, figure {each.name!r}: this name belongs to another figure; choose a free one"
            )
        found[each.name] = marked_figure(study, run_counts.noted(each))
    return found


def study_figures(study: StudyView) -> list[Figure]:
    """The figures of the manifest, in its order."""
    found = study.store.rows("select * from study.publication_figure order by position")
    return [_as_declared(figure, row) for row in found if (figure := _figure(study, row)) is not None]


def _as_declared(figure: Figure, row: Row) -> Figure:
    """The figure with the note and the statement that study.toml declares for it."""
    options = options_of(row)
    note = options.get("note")
    drawn = replace(figure, sql=row["sql"] or "", paper=str(options.get("paper") or ""))
    return drawn.with_note(str(note)) if note else drawn


def _figure(study: StudyView, row: Row) -> Figure | None:
    owner = f"study.toml, figure {row['name']!r}"
    options = options_of(row)
    label = str(options.get("label") or options.get("number") or "")
    asked = FIGURE_KINDS.get(row["kind"])
    if row["sql"] and not (asked and asked.takes_sql):
        return bars(study, row, label=label, owner=owner)
    naming = Naming(row["name"], row["caption"], label)
    members = chosen(study, row["configurations"], owner)
    return kinds()[row["kind"]](Request(study, members, naming, options, owner, row["sql"] or ""))
