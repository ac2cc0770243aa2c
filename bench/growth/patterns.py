"""Patterns of Python's `re` in the parsers, and texts on which one that is not linear takes long.

Python's engine tries again from where it stood; a pattern in which two repeats can take the same characters takes the
square or the cube of a line's length. Those of Polars run in Rust and are linear on any text.
"""

import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]  # no public name
from re import _parser as syntax  # type: ignore[attr-defined]  # no public name
from typing import Any

import parsers

SOURCE = Path(parsers.__file__).parent
OF_PATTERNS = ("parsers.messages.ha_rule", "parsers.syslog.framing")
"""Modules whose own patterns read patterns, not logs."""

SHORT, LONG = 1_000, 4_000
LEAST_S = 0.004
"""Below that nothing is measured well, and nothing hurts: a line of 4,000 characters."""

CHARACTERS = " \taAzZ0_/\\-.,:;=~+*#$%&@!?<>()[]{}|\"'^éE"
PAIRED = ' a0/=,("[-:'
SUFFIXES = ("\x01", " \x01x")
SEARCHES = ("search", "finditer", "findall", "sub", "split")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern with its place, and whether the source looks for it anywhere in a line."""

    place: str
    compiled: re.Pattern[str]
    is_searched: bool


@dataclass(frozen=True, slots=True)
class Slow:
    """A text on which a pattern grows: what is repeated after which beginning, the seconds at both lengths."""

    pattern: Pattern
    method: str
    beginning: str
    repeated: str
    short_s: float
    long_s: float

    def __str__(self) -> str:
        """In a line."""
        return (
            f"{self.pattern.place}: {self.method} of {self.beginning[:40]!r} + {self.repeated!r} x n: "
            f"{self.short_s:.4f} s, {self.long_s:.4f} s at four times the length"
        )


def patterns() -> list[Pattern]:
    """Every pattern that a module of the parsers holds or compiles where it is used."""
    found: dict[str, Pattern] = {}
    sources = [path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py"))]
    for info in pkgutil.walk_packages(parsers.__path__, "parsers."):
        module = importlib.import_module(info.name)
        if info.ispkg or info.name in OF_PATTERNS:
            continue
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        for name, value in vars(module).items():
            for each in _within(value):
                near = "\n".join([source, *(each for each in sources if f"from {info.name} import" in each)])
                owner = name if isinstance(value, re.Pattern) else "pattern"
                is_searched = re.search(rf"\b{owner}\.(?:{'|'.join(SEARCHES)})\(", near) is not None
                found.setdefault(each.pattern, Pattern(f"{info.name}:{name}", each, is_searched))
        for function, printed in re.findall(r'\bre\.(\w+)\(\s*r?"((?:[^"\\\n]|\\.)*)"', source):
            if function != "compile":
                pattern = Pattern(f"{info.name}:{printed[:30]}", re.compile(printed), function in SEARCHES)
                found.setdefault(printed, pattern)
    return sorted(found.values(), key=_place)


def slow(pattern: Pattern) -> Slow | None:
    """The first text found on which the pattern takes more than its length, or None."""
    methods = [pattern.compiled.match, pattern.compiled.fullmatch]
    if pattern.is_searched:
        methods.append(pattern.compiled.search)
    for beginning, repeated in _texts(pattern.compiled.pattern):
        for method, suffix in product(methods, SUFFIXES):
            found = _grows(method, beginning, repeated, suffix)
            if found is not None:
                return Slow(pattern, method.__name__, beginning, repeated, *found)
    return None


def _place(pattern: Pattern) -> str:
    return pattern.place


def _within(value: object) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        for each in (*value, *value.values()):
            yield from _within(each)
    elif isinstance(value, (tuple, list, frozenset)):
        for each in value:
            yield from _within(each)
    elif hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        for name in value.__dataclass_fields__:
            yield from _within(getattr(value, name))


def _grows(method: Callable[[str], object], beginning: str, repeated: str, suffix: str) -> tuple[float, float] | None:
    def cost(count: int) -> float:
        text = beginning + repeated * (max(1, count // len(repeated))) + suffix
        began = time.process_time()
        method(text)
        return time.process_time() - began

    tiny = cost(SHORT // 4)
    short = cost(SHORT)
    if short > 100 * LEAST_S:
        return tiny, short
    long = cost(LONG)
    if long < LEAST_S:
        return None
    short, long = min(short, cost(SHORT)), min(long, cost(LONG))
    return (short, long) if long >= LEAST_S and long > 8 * short else None


def _texts(pattern: str) -> Iterator[tuple[str, str]]:
    beginnings = {""}
    words = re.findall(r"[A-Za-z]{2,}(?: [A-Za-z]+)*", pattern)
    repeats = {*CHARACTERS, *(a + b for a in PAIRED for b in PAIRED if a != b), *words, *(each + " " for each in words)}
    for beginning, repeated in _repeats(syntax.parse(pattern), ""):
        beginnings.add(beginning)
        if repeated:
            repeats.add(repeated)
    yield from product(sorted(beginnings, key=len)[:12], sorted(repeats))


def _repeats(tree: Any, beginning: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401  a tree of the standard library
    """The unbounded repeats of a pattern: a text that leads to each, and what it repeats."""
    text = beginning
    for code, argument in tree:
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            _, most, body = argument
            if most > 100:
                yield text, _example(body)
            yield from _repeats(body, text)
        elif code is codes.SUBPATTERN:
            yield from _repeats(argument[3], text)
        elif code is codes.BRANCH:
            for branch in argument[1]:
                yield from _repeats(branch, text)
        text += _example([(code, argument)])


def _example(tree: Any) -> str:  # noqa: ANN401  a tree of the standard library
    """A text that the pattern fits, roughly: enough to lead further into it."""
    text = ""
    for code, argument in tree:
        if code is codes.LITERAL:
            text += chr(argument)
        elif code in (codes.IN, codes.NOT_LITERAL, codes.ANY, codes.CATEGORY):
            text += _member(code, argument)
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            text += _example(argument[2]) * max(argument[0], 1)
        elif code is codes.SUBPATTERN:
            text += _example(argument[3])
        elif code is codes.BRANCH:
            text += _example(argument[1][0])
    return text


def _member(code: Any, argument: Any) -> str:  # noqa: ANN401  a tree of the standard library
    if code is codes.ANY:
        return "a"
    if code is codes.NOT_LITERAL:
        return "a" if chr(argument) != "a" else "b"
    for each in CHARACTERS:
        if _is_in(each, argument):
            return each
    return "a"


def _is_in(character: str, members: Any) -> bool:  # noqa: ANN401  a tree of the standard library
    is_in, is_negated = False, False
    for code, argument in members:
        if code is codes.NEGATE:
            is_negated = True
        elif code is codes.LITERAL:
            is_in |= ord(character) == argument
        elif code is codes.RANGE:
            is_in |= argument[0] <= ord(character) <= argument[1]
        elif code is codes.CATEGORY:
            is_in |= re.match(CATEGORIES[str(argument)], character) is not None
    return is_in != is_negated


CATEGORIES = {
    "CATEGORY_DIGIT": r"[0-9]",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
}
