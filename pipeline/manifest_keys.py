"""Keys of study.toml and their types: what is read must be known and fit, else the error names file, line and place.

tomllib tells neither the line of a value nor which keys nobody asked for; both are found here.
"""

import difflib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time

from pipeline.errors import UsageError
from pipeline.wall_clock import refused_zone

TOP = "the top level"


@dataclass(slots=True)
class Keys:
    """The keys of one table of study.toml. Every key asked for becomes known; `done` refuses the others.

    `where` names the table in messages, `text` is the whole file, `source` its name. An absent key is None, or empty.
    """

    values: dict[str, object]
    where: str
    text: str
    source: str
    known: list[str] = field(default_factory=list)

    def get(self, key: str, types: tuple[type, ...], expected: str) -> object:
        """The value of a key, of one of the types."""
        self.known.append(key)
        value = self.values.get(key)
        is_flag = isinstance(value, bool) and bool not in types  # to Python a bool is an int
        if value is not None and (is_flag or not isinstance(value, types)):
            raise self.error(key, f"expected {expected}, found {_shown(value)}")
        return value

    def string(self, key: str) -> str | None:
        """Text."""
        value = self.get(key, (str,), 'text in quotes, such as "…"')
        return None if value is None else str(value)

    def required(self, key: str) -> str:
        """Text that must be there."""
        value = self.string(key)
        if value is None:
            raise self.lacking(f"a key {key!r}")
        return value

    def label(self, key: str) -> str | None:
        """Text, or a whole number taken as text (a run)."""
        value = self.get(key, (str, int), 'text in quotes or a whole number, such as "run03" or 3')
        return None if value is None else str(value)

    def number(self, key: str) -> float | None:
        """A finite number."""
        value = self.get(key, (int, float), "a number")
        if value is None:
            return None
        number = float(str(value))
        if not abs(number) < float("inf"):
            raise self.error(key, "expected a finite number")
        return number

    def truth(self, key: str) -> bool | None:
        """True or false."""
        value = self.get(key, (bool,), "true or false")
        return None if value is None else bool(value)

    def positive(self, key: str) -> float | None:
        """A finite number above 0."""
        number = self.number(key)
        if number is not None and number <= 0:
            raise self.error(key, f"expected a number above 0, found {number:g}")
        return number

    def year(self, key: str) -> int | None:
        """A year from 1970 on."""
        value = self.get(key, (int,), "a year, such as 2003")
        if value is None:
            return None
        if not 1970 <= int(str(value)) <= 9998:
            raise self.error(key, f"expected a year from 1970 on, found {value}")
        return int(str(value))

    def strings(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        value = self.get(key, (list,), 'a list of texts, such as ["a", "b"]')
        items = value if isinstance(value, list) else []
        if not all(isinstance(item, str) for item in items):
            raise self.error(key, 'expected a list of texts, such as ["a", "b"]')
        return tuple(items)

    def choice(self, key: str, allowed: Sequence[str]) -> str | None:
        """One of some words."""
        value = self.string(key)
        if value is not None and value not in allowed:
            raise self.error(key, f"expected one of {', '.join(allowed)}, found {value!r}{_nearest(value, allowed)}")
        return value

    def timezone(self, key: str) -> str | None:
        """The name of a zone that exists, or an offset such as -04:00."""
        value = self.string(key)
        if value is None:
            return None
        reason = refused_zone(value)
        if reason is not None:
            raise self.error(key, f"{value!r} is no time zone{reason}; expected a name such as 'America/Toronto'")
        return value

    def instant(self, key: str) -> datetime | None:
        """A date and time, with an offset or without."""
        value = self.get(key, (datetime,), "a date and time, such as 2003-07-28T10:27:04-04:00")
        if not isinstance(value, datetime):
            return None
        if not 1970 <= value.year <= 9998:
            raise self.error(key, f"expected a date from 1970 on, found {value.isoformat()}")
        return value

    def table(self, key: str) -> "Keys":
        """The keys of a table below this one."""
        value = self.get(key, (dict,), f"a table, [{key}]")
        if self.where == TOP:
            where = f"[{key}]"
        else:
            where = f"{self.where[:-1]}.{_quoted(key)}]" if self.where.endswith("]") else f"{key!r} of {self.where}"
        return self._inner(value if isinstance(value, dict) else {}, where)

    def tables(self, key: str) -> Iterator["Keys"]:
        """The keys of each table of a list, `[[key]]`."""
        value = self.get(key, (list,), f"a list of tables, each headed [[{key}]]")
        for i, item in enumerate(value if isinstance(value, list) else [], 1):
            if not isinstance(item, dict):
                raise self.error(key, f"expected a list of tables, each headed [[{key}]]")
            yield self._inner(item, f"[[{key}]] number {i}")

    def done(self) -> None:
        """Refuse keys that nobody asked for."""
        for key in self.values:
            if key not in self.known:
                hint = _nearest(key, self.known) or f"; known keys: {', '.join(self.known)}"
                raise UsageError(f"{self.source}{self._line(key)}: unknown key {key!r} in {self.where}{hint}")

    def error(self, key: str, message: str) -> UsageError:
        """What is wrong with a key, said with file, line and table; to be raised."""
        return UsageError(f"{self.source}{self._line(key)}: {key!r} in {self.where}: {message}")

    def lacking(self, what: str) -> UsageError:
        """What the table as a whole lacks; to be raised."""
        return UsageError(f"{self.source}: {self.where} needs {what}")

    def _inner(self, values: dict[str, object], where: str) -> "Keys":
        return Keys(values, where, self.text, self.source)

    def _line(self, key: str) -> str:
        """The line of a key, where the text leaves no doubt about it; tomllib does not tell."""
        head = re.compile(rf"""^\s*(?:\[+\s*)?["']?{re.escape(key)}["']?\s*[=.\]]""")
        hits = [i for i, line in enumerate(self.text.split("\n"), 1) if head.search(line)]
        return f":{hits[0]}" if len(hits) == 1 else ""


def _nearest(word: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.5)
    return f"; the nearest known is {near[0]!r}" if near else ""


def _shown(value: object) -> str:
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    kinds = ((bool, "the truth value "), (str, "the text "), (int, "the number "), (float, "the number "))
    kind = next((word for each, word in kinds if isinstance(value, each)), "")
    if not kind and isinstance(value, datetime | date | time):
        kind = "the time "
    return kind + (repr(text) if isinstance(value, str) else text)[:60]


def _quoted(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else json.dumps(key, ensure_ascii=False)
