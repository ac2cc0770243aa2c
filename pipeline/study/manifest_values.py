"""The types of values in study.toml. What pydantic's own types say of a wrong value, `manifest_mistakes` words."""

import codecs
import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Annotated

import duckdb
import polars as pl
from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from parsers.format import formats
from parsers.stamp_format import pattern_of
from pipeline.discovery.globs import leaves_the_study
from pipeline.local_time import refused_zone
from pipeline.study.data_origin import BUILT_IN, NOT_BUILT_IN

MOST_OFFSET_S = 100 * 366 * 86_400.0
"""A clock is not a hundred years wrong: such a number is in another unit."""
MOST_DECIMALS = 30
UNITS_S = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86_400.0}
MOST_DURATION_S = 366 * 86_400.0
MOST = 2**31 - 1
"""The largest whole number that a column of the store takes."""


def shown(value: object) -> str:
    """A value as a message names it."""
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    if isinstance(value, bool):
        return f"the truth value {str(value).lower()}"
    if isinstance(value, str):
        return f"the text {repr(value)[:60]}"
    return f"the {'number' if isinstance(value, int | float) else 'time'} {str(value)[:60]}"


def _one_of(types: tuple[type, ...], expected: str) -> BeforeValidator:
    """Refuse a value of none of the types. To Python a truth value is a number; to TOML it is not."""

    def check(value: object) -> object:
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise ValueError(f"expected {expected}, found {shown(value)}")
        return value

    return BeforeValidator(check)


def _checked(reason: Callable[[str], str | None]) -> AfterValidator:
    """Refuse a text for which there is a reason."""

    def check(value: str) -> str:
        if (found := reason(value)) is not None:
            raise ValueError(found)
        return value

    return AfterValidator(check)


def _wrong_zone(zone: str) -> str | None:
    reason = refused_zone(zone)
    return None if reason is None else f"{zone!r} is no time zone{reason}; expected a name such as 'America/Toronto'"


def _wrong_glob(glob: str) -> str | None:
    expected = "expected a path or glob inside it, such as 'a/*.txt'"
    return f"{glob!r} leaves the study; {expected}" if leaves_the_study(glob) else None


def _wrong_pattern(pattern: str) -> str | None:
    try:
        # Both that match it must take it: neither has look-around, and RE2 of the store repeats at most 1000 times.
        pl.select(pl.lit("").str.contains(pattern))
        with duckdb.connect() as con:
            con.execute("select regexp_matches('', $1)", [pattern])
    except (pl.exceptions.ComputeError, duckdb.Error) as error:
        found = re.findall(r"(?:^|\s)error: ([^\n]+)", str(error))  # after a drawing of the place
        return f"{pattern!r} is not a regular expression: {found[-1] if found else str(error).splitlines()[0]}"
    return None


def _wrong_stamp(written: str) -> str | None:
    if "%" not in written:
        return _wrong_pattern(written)
    try:
        pattern_of(written)
    except ValueError as error:
        return str(error)
    return None


def _wrong_format_name(name: str) -> str | None:
    if name in formats():
        return f"{name!r} is a format of haledger; choose another name"
    return _wrong_name(name)


def _wrong_name(name: str) -> str | None:
    is_name = re.fullmatch(r"[a-z][a-z0-9_]*", name)
    return None if is_name else f"expected small letters, digits and `_`, a letter first, found {shown(name)}"


def _wrong_encoding(name: str) -> str | None:
    try:
        # any bytes at all become text; UTF-16 and UTF-32 are read with a mark or without
        text = (
            name
            if codecs.lookup(name).name in {"utf-16", "utf-32"}
            else codecs.getincrementaldecoder(name)("replace").decode(bytes(range(256)), final=True)
        )
    except (LookupError, UnicodeError, AssertionError, TypeError, ValueError):
        text = None
    if isinstance(text, str):
        return None
    return f"{name!r} is no encoding of text; expected a name such as 'latin-1', 'cp1252' or 'utf-16'"


def _wrong_phrase(text: str) -> str | None:
    return None if " is " in text else f"expected `the THING is DONE`, found {shown(text)}"


def _duration(value: object) -> object:
    """The seconds of a text such as `24 h`."""
    written = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) *(s|min|h|d)", value.strip()) if isinstance(value, str) else None
    seconds = float(written[1]) * UNITS_S[written[2]] if written else 0.0
    if not 0 < seconds <= MOST_DURATION_S:
        raise ValueError(f"expected a number above 0 with s, min, h or d, such as '24 h', found {shown(value)}")
    return seconds


def _from_1970(value: datetime) -> datetime:
    if not 1970 <= value.year <= 9998:
        raise ValueError(f"expected a date from 1970 on, found {value.isoformat()}")
    return value


def _year_from_1970(value: int) -> int:
    if not 1970 <= value <= 9998:
        raise ValueError(f"expected a year from 1970 on, found {value}")
    return value


def _decimals(value: object) -> object:
    for each in value.values() if isinstance(value, dict) else (value,):
        if not isinstance(each, int) or isinstance(each, bool) or not 0 <= each <= MOST_DECIMALS:
            raise ValueError(
                f"expected a whole number from 0 to {MOST_DECIMALS}, or a table of such by column, found {shown(each)}"
            )
    return value


def _reason(text: str) -> str:
    if not text.strip():
        raise ValueError('expected a reason, such as "the operator rebooted the wrong node", found an empty text')
    return text


def _words_of_built_in(value: object) -> object:
    if isinstance(value, bool):
        return BUILT_IN if value else NOT_BUILT_IN
    text = " ".join(str(value).split())
    if not text:
        raise ValueError("expected true, false, or what was built in, found an empty text")
    return text


Label = Annotated[
    str,
    BeforeValidator(str),
    _one_of((str, int), 'text in quotes or a whole number, such as "run03" or 3'),
    WithJsonSchema({"type": ["string", "integer"]}),
]
"""Text, or a whole number taken as text, as for a run."""

Line = Annotated[str | None, AfterValidator(lambda text: " ".join(text.split()) or None if text else None)]
"""Text on one line, on however many lines the file has it; None where it holds nothing."""

Day = Annotated[str, BeforeValidator(str), _one_of((str, date), "text or a date, such as 2003-08-01")]
Scalar = Annotated[
    object,
    _one_of((str, int, float, bool), "text, a number, true or false"),
    WithJsonSchema({"type": ["string", "number", "boolean"]}),
]
TextOrTrue = Annotated[
    object, _one_of((str, bool), "true, false or text"), WithJsonSchema({"type": ["string", "boolean"]})
]
Reason = Annotated[str, AfterValidator(_reason)]
"""Why something is so: text that is not empty."""

Number = Annotated[float, Field(allow_inf_nan=False)]
Offset = Annotated[Number, Field(ge=-MOST_OFFSET_S, le=MOST_OFFSET_S)]
"""Seconds by which a clock is wrong."""

Decimals = Annotated[
    object,
    BeforeValidator(_decimals),
    WithJsonSchema({"type": ["integer", "object"], "additionalProperties": {"type": "integer"}}),
]
"""Decimals of all columns, or a table with those of each."""

Duration = Annotated[Number, BeforeValidator(_duration), WithJsonSchema({"type": "string"})]
"""Seconds, written with their unit: `90 min`, `24 h`."""

PrintedNumber = Annotated[
    str,
    BeforeValidator(str),
    _one_of((str, int, float), 'a number as it was printed, such as 61 or "4.70"'),
    _checked(lambda text: None if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text) else "a number as it was printed"),
    WithJsonSchema({"type": ["string", "number"]}),
]
"""A number with the digits that it was printed with."""

PositiveNumber = Annotated[Number, Field(gt=0)]
Count = Annotated[int, Field(gt=0, le=MOST)]
Year = Annotated[int, AfterValidator(_year_from_1970), _one_of((int,), "a year, such as 2003")]
Zone = Annotated[str, _checked(_wrong_zone)]
"""The name of a time zone that exists, or an offset such as -04:00."""

Glob = Annotated[str, _checked(_wrong_glob), AfterValidator(lambda glob: glob.removeprefix("./"))]
"""A path or glob inside the study."""

Globs = Annotated[tuple[Glob, ...], Field(strict=False)]
"""Paths or globs inside the study."""

Encoding = Annotated[str, _checked(_wrong_encoding)]
"""The name of an encoding that Python reads as text."""

Pattern = Annotated[str, _checked(_wrong_pattern)]
"""A regular expression of RE2."""

Stamp = Annotated[str, _checked(_wrong_stamp)]
"""How a stamp is written: directives of strptime, or a regular expression of RE2."""

Phrase = Annotated[
    str, _checked(lambda text: None if " is " in text else f"expected `the THING is DONE`, found {text!r}")
]
"""A milestone in a sentence."""

Name = Annotated[str, _checked(_wrong_name)]
FormatName = Annotated[str, _checked(_wrong_format_name)]
"""The name of a format of one's own."""

MessageIds = Annotated[
    tuple[str, ...],
    Field(strict=False),
    BeforeValidator(lambda value: [value] if isinstance(value, str) else value),
    WithJsonSchema({"type": ["string", "array"], "items": {"type": "string"}}),
]
"""A message id, or a list of them."""

Instant = Annotated[datetime, AfterValidator(_from_1970), WithJsonSchema({"type": "string"})]
"""A date and time, with an offset or without."""

Texts = Annotated[tuple[str, ...], Field(strict=False)]
"""A list of texts."""

Spanners = Annotated[
    object,
    _one_of((dict, list), "a table of headings with their columns, or a list of such"),
    WithJsonSchema({"type": ["object", "array"]}),
]
BuiltIn = Annotated[
    str,
    BeforeValidator(_words_of_built_in),
    _one_of((str, bool), "true, false, or text in quotes that says what was built in"),
    WithJsonSchema({"type": ["string", "boolean"]}),
]
"""What of its numbers was put into the data, in words; `yes` or `no` for true and false."""
