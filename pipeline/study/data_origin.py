"""How the data of a study came about, as study.toml says: what claims, comparisons and reports say of built-in data.

Data that a program made show what was put into them. A p value, an interval or a verdict of such data is arithmetic on
an assumption, and no finding; so whoever prints one asks here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import duckdb

BUILT_IN, NOT_BUILT_IN = "yes", "no"
"""What a table of the store holds for `built_in = true` and `built_in = false`."""

MADE: Final = ("simulated", "calibrated")
"""Origins of data that nobody recorded; where several come together, the first of them is that of all."""

SENTENCES: Final = {
    "calibrated": "Calibrated data, not measurements",
    "simulated": "Simulated data, not measurements",
    "recorded": "Recorded data",
}
"""What is said of the data, before the study's own note."""

SHORT: Final = {"calibrated": "calibrated, not recorded", "simulated": "simulated, not recorded"}
"""The same inside a line."""

READ: Final = "select configuration, origin, origin_note from main.data_origin order by position"


@dataclass(frozen=True, slots=True)
class DataOrigin:
    """How data came about; None: nobody says. `note` is the study's own."""

    origin: str | None = None
    note: str | None = None

    @property
    def is_built_in(self) -> bool:
        """Whether a program made them."""
        return self.origin in MADE

    @property
    def sentence(self) -> str:
        """What is said of them, with the note; empty where nobody says."""
        if self.origin is None:
            return ""
        lead = SENTENCES[self.origin]
        return f"{lead}: {self.note}" if self.note else f"{lead}."


NOT_DECLARED: Final = DataOrigin()


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """Whether something was built in, of data of which origin, and what of it, in words that study.toml has."""

    is_built_in: bool = False
    origin: str | None = None
    note: str | None = None

    @property
    def words(self) -> str:
        """Such as `built in: the spread is made up`, or `calibrated, not recorded`; empty where nothing is."""
        if not self.is_built_in:
            return ""
        return f"built in: {self.note}" if self.note else SHORT.get(self.origin or "", "built in")


NOT_BUILT: Final = BuiltIn()


@dataclass(frozen=True, slots=True)
class DataOrigins:
    """The study's origin, and that of each configuration."""

    study: DataOrigin
    configurations: Mapping[str, DataOrigin]

    def of(self, configurations: Iterable[str | None]) -> DataOrigin:
        """The origin of what rests on some configurations: made where one of them is.

        Without any it is that of the study; where that was recorded, of all configurations.
        """
        named = [each for each in configurations if each is not None]
        found = [self.configurations[each] for each in named if each in self.configurations]
        if not named:
            found = [self.study] if self.study.is_built_in else [self.study, *self.configurations.values()]
        made = sorted((each for each in found if each.is_built_in), key=lambda each: MADE.index(str(each.origin)))
        return (made or found or [self.study])[0]

    def sentences(self, name: Callable[[str], str] = str, *, has_notes: bool = False) -> list[str]:
        """What is said of data that a program made: of the study's, then of configurations that differ from it.

        `has_notes`: the notes of these configurations too, and those that differ in nothing but the note.
        """
        said = [self.study.sentence] if self.study.is_built_in else []
        apart: dict[DataOrigin, list[str]] = {}
        for configuration, origin in self.configurations.items():
            key = origin if has_notes else DataOrigin(origin.origin)
            is_apart = key != (self.study if has_notes else DataOrigin(self.study.origin))
            if is_apart and (origin.is_built_in or self.study.is_built_in):
                apart.setdefault(key, []).append(name(configuration))
        for origin, names in apart.items():
            where = f"{SENTENCES.get(origin.origin or '', '')}, in {listed(names)}"
            said.append(f"{where}: {origin.note}" if origin.note else f"{where}.")
        return said

    def named_in(self, sql: str | None) -> list[str]:
        """Configurations that a statement names in quotes."""
        return [each for each in self.configurations if "'{}'".format(each.replace("'", "''")) in (sql or "")]

    def built_in(self, declared: str | None, configurations: Iterable[str | None]) -> BuiltIn:
        """What of a claim, table or figure is built in: as its `built_in` says, else as its configurations are."""
        origin = self.of(configurations)
        if declared == NOT_BUILT_IN or (declared is None and not origin.is_built_in):
            return BuiltIn(is_built_in=False, origin=origin.origin)
        return BuiltIn(is_built_in=True, origin=origin.origin, note=None if declared in (None, BUILT_IN) else declared)


def data_origins(con: duckdb.DuckDBPyConnection) -> DataOrigins:
    """Read them from a store; one that knows nothing of origins says nothing."""
    try:
        settings = con.execute("select origin, origin_note from study.setting").fetchall()
        rows = con.execute(READ).fetchall()
    except (duckdb.CatalogException, duckdb.BinderException):
        return DataOrigins(NOT_DECLARED, {})
    return DataOrigins(
        DataOrigin(*settings[0]) if settings else NOT_DECLARED,
        {configuration: DataOrigin(origin, note) for configuration, origin, note in rows},
    )


def listed(names: Sequence[str]) -> str:
    """Names apart by semicolons, as a label may hold a comma."""
    quoted = [f"\u201c{each}\u201d" if " " in each else each for each in names]
    return quoted[0] if len(quoted) == 1 else f"{'; '.join(quoted[:-1])} and {quoted[-1]}"
