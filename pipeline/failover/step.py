"""A step of the fold: a function of rows whose result is a relation, and how steps are put together.

The parameters of a step are named for the relations that it reads (`log__hadr_event` for one of schema `log`), and
annotated with the rows that it needs of them:

    @step(by=UNIT)
    def link_sign(incident: Sequence[Incident], cluster_line: Sequence[ClusterLine]) -> Iterator[Sign]: ...

The row of its result declares the columns of the relation: its docstring is the comment of the relation, and a column
whose meaning is its own has it as text: `lost_id: Annotated[int | None, "LLT id of the lost node"]`.
"""

import importlib
import inspect
import pkgutil
from collections import defaultdict, namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import groupby
from operator import attrgetter
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

import polars as pl

import pipeline.failover

UNIT = ("configuration", "unit_run")
"""A step by unit: a run folder of a configuration, or the files of a configuration that lie in no run folder."""
RUN = ("configuration", "run")
"""A step by run."""
CONFIGURATION = ("configuration",)
"""A step by configuration: its rows rest on several units."""
STUDY: tuple[str, ...] = ()
"""A step that takes each row by itself and looks up what it needs: it is called once."""

Int16 = Annotated[int, pl.Int16()]
Int32 = Annotated[int, pl.Int32()]

TYPES: dict[type, pl.DataType] = {
    str: pl.String(),
    int: pl.Int64(),
    float: pl.Float64(),
    bool: pl.Boolean(),
    datetime: pl.Datetime("us"),
}

Row = tuple[Any, ...]
"""A row of a relation: a NamedTuple, whose fields are columns."""

F = TypeVar("F", bound=Callable[..., Iterable[Row]])
R = TypeVar("R", bound=Row)


@dataclass(frozen=True, slots=True)
class RowColumn:
    """A column as a row declares it; `meaning` is None where its name, or what the step reads, gives it."""

    name: str
    dtype: pl.DataType
    meaning: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A declared step. `reads`: rows by the relation that they come from. `links`: as headers of statements have them.

    `of`: the one of these whose rows its own are about, if there is one: without it there are none. `is_stored`: its
    rows are a public relation; else only other steps read them. `rests_on_all`: its rows of a configuration rest on
    files of others, too, as series that many files share do.
    """

    name: str
    function: Callable[..., Iterable[Row]]
    by: tuple[str, ...]
    reads: Mapping[str, type[Row]]
    row: type[Row]
    of: str | None
    is_stored: bool
    links: tuple[str, ...]
    rests_on_all: bool = False

    @property
    def comment(self) -> str:
        """What a row is, and what would surprise a reader."""
        return " ".join(inspect.cleandoc(self.row.__doc__ or "").split())

    @property
    def columns(self) -> tuple[RowColumn, ...]:
        """The columns of its rows."""
        return _columns(self.row)

    @property
    def meanings(self) -> dict[str, str]:
        """What its columns mean: as the row says, else as the steps that it reads do, where these agree."""
        return _meanings(self)

    @property
    def evidence(self) -> frozenset[str]:
        """The relations that it rests on and that are no steps."""
        return _evidence(self)


def step(
    *,
    by: tuple[str, ...] = UNIT,
    of: str | None = None,
    is_stored: bool = True,
    links: Sequence[str] = (),
    rests_on_all: bool = False,
) -> Callable[[F], F]:
    """Declare a function as a step: it is called for each value of the columns `by`, with the rows that have it.

    Rows of a relation without some of these columns are those of all its values. With `of` only values that this
    relation has are looked at; where it has none, no other one is read.
    """

    def declared(function: F) -> F:
        hints = get_type_hints(function)
        (row,) = get_args(hints.pop("return"))
        reads = {name: get_args(hint)[0] for name, hint in hints.items()}
        name = function.__name__
        _declared[name] = Step(name, function, by, reads, row, of, is_stored, tuple(links), rests_on_all)
        return function

    return declared


_declared: dict[str, Step] = {}


@cache
def steps() -> Mapping[str, Step]:
    """Every step of this package, by the name of its relation."""
    for module in pkgutil.walk_packages(pipeline.failover.__path__, f"{pipeline.failover.__name__}."):
        importlib.import_module(module.name)
    return dict(sorted(_declared.items()))


class Fold:
    """Rows of relations while steps are computed: each is read or computed once, for all steps that read it.

    `read` gives the rows of a relation that is no step, or that was computed before, as rows of a type.
    """

    def __init__(self, read: Callable[[str, type[Row]], list[Row]], known: Iterable[str] = ()) -> None:
        self._read = read
        self._known = frozenset(known)
        self._rows: dict[str, list[Row]] = {}
        self._groups: dict[tuple[str, tuple[str, ...]], dict[Row, list[Row]]] = {}

    def rows(self, name: str) -> list[Row]:
        """The rows of a step, in the order of the values that it goes by, or of what a step reads."""
        if name not in self._rows:
            declared = steps().get(name)
            is_read = declared is None or name in self._known
            self._rows[name] = self._read(name, _row_type(name)) if is_read else self._computed(steps()[name])
        return self._rows[name]

    def _computed(self, declared: Step) -> list[Row]:
        if declared.of is not None and not self.rows(declared.of):
            return []
        reads: list[Any] = list(declared.reads.values())  # NamedTuples, which have no name as a type
        columns = [tuple(each for each in declared.by if each in row._fields) for row in reads]
        groups = [self._grouped(name, by) for name, by in zip(declared.reads, columns, strict=True)]
        asked = zip(declared.reads, groups, columns, strict=True)
        whole = (group for name, group, by in asked if declared.of == name or (not declared.of and by == declared.by))
        keys = sorted({key for group in whole for key in group}, key=nulls_last)
        places = [[declared.by.index(each) for each in by] for by in columns]
        found: list[Row] = []
        for key in keys:
            rows = (g.get(tuple(key[i] for i in at), []) for g, at in zip(groups, places, strict=True))
            found += declared.function(*rows)
        return found

    def _grouped(self, name: str, by: tuple[str, ...]) -> dict[Row, list[Row]]:
        if (name, by) not in self._groups:
            self._groups[name, by] = grouped(self.rows(name), *by)
        return self._groups[name, by]


@cache
def _row_type(name: str) -> type[Row]:
    """Rows of a relation with every column that some step needs; those of a step have all of its own."""
    if name in steps():
        return steps()[name].row
    needed = (step.reads[name]._fields for step in steps().values() if name in step.reads)  # type: ignore[attr-defined]  # a NamedTuple has no name as a type
    return namedtuple(name, dict.fromkeys(column for columns in needed for column in columns))  # noqa: PYI024  its columns are known when all steps are


def qualified(name: str) -> str:
    """A relation as SQL names it: `log__hadr_event` is `log.hadr_event`, a name without schema is of `main`."""
    schema, _, relation = name.rpartition("__")
    return f"{schema or 'main'}.{relation}"


def grouped(rows: Iterable[Any], *by: str) -> dict[Any, list[Any]]:
    """Rows by the values of some columns, in their order; the keys are tuples."""
    found: dict[Any, list[Any]] = defaultdict(list)
    for value, alike in groupby(rows, attrgetter(*by) if by else lambda _: ()):
        found[value] += alike
    return {(value,): own for value, own in found.items()} if len(by) == 1 else dict(found)


def passed_on(kind: type[R], source: Row, /, **own: Any) -> R:  # noqa: ANN401  values of any columns
    """A row with columns of its own, and all others as a row that it follows from has them."""
    names, values = _others(kind, frozenset(own))
    return kind(**dict(zip(names, values(source), strict=True)), **own)


@cache
def _others(kind: type[Row], own: frozenset[str]) -> tuple[tuple[str, ...], Callable[[Row], Row]]:
    """The names of the other columns, of which there are several, and what reads them."""
    names = tuple(each for each in kind._fields if each not in own)  # type: ignore[attr-defined]  # a NamedTuple has no name as a type
    return names, attrgetter(*names)


def nulls_last(values: Iterable[Any]) -> tuple[tuple[bool, Any], ...]:
    """A key to sort by that puts None last, as statements do."""
    return tuple((value is None, 0 if value is None else value) for value in values)


@cache
def _columns(row: type[Row]) -> tuple[RowColumn, ...]:
    hints = get_type_hints(row, include_extras=True)
    return tuple(RowColumn(name, _dtype(hint), _meaning(hint)) for name, hint in hints.items())


@cache  # steps read each other along many ways
def _evidence(declared: Step) -> frozenset[str]:
    known = steps()
    return frozenset().union(*(_evidence(known[name]) if name in known else {name} for name in declared.reads))


@cache  # likewise
def _meanings(declared: Step) -> dict[str, str]:
    found = {each.name: {each.meaning} for each in declared.columns if each.meaning is not None}
    inherited = [steps()[name].meanings for name in declared.reads if name in steps()]
    for each in declared.columns:
        known = {meanings[each.name] for meanings in inherited if each.name in meanings}
        if each.name not in found and len(known) == 1:
            found[each.name] = known
    return {name: text for name, (text,) in found.items()}


def _dtype(hint: Any) -> pl.DataType:  # noqa: ANN401  what a class is annotated with
    origin = get_origin(hint)
    if origin is Annotated:
        inner, *more = get_args(hint)
        return next((each for each in more if isinstance(each, pl.DataType)), None) or _dtype(inner)
    if origin in {Union, UnionType}:
        (inner,) = (each for each in get_args(hint) if each is not NoneType)
        return _dtype(inner)
    if origin in {list, tuple}:
        return pl.List(_dtype(get_args(hint)[0]))
    return TYPES[hint]


def _meaning(hint: Any) -> str | None:  # noqa: ANN401  what a class is annotated with
    texts = [each for each in get_args(hint)[1:] if isinstance(each, str)] if get_origin(hint) is Annotated else []
    return texts[0] if texts else None
