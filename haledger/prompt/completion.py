"""What may come next in a statement: names of relations and columns, words of SQL. Pure: text in, suggestions out."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.store.description import DescribedRelation

KEYWORDS = (
    *("select", "from", "where", "group by", "order by", "having", "limit", "with", "as", "on", "using"),
    *("inner join", "left join", "cross join", "union all", "distinct", "case", "when", "then", "else", "end"),
    *("and", "or", "not", "in", "is null", "is not null", "like", "between", "desc", "asc", "over", "partition by"),
    *("filter", "qualify", "describe", "summarize", "explain", "exists", "interval", "timestamp", "null"),
)
FUNCTIONS = (
    *("count", "sum", "avg", "min", "max", "median", "stddev_samp", "quantile_cont", "string_agg", "list", "round"),
    *(
        "coalesce",
        "nullif",
        "abs",
        "date_trunc",
        "epoch",
        "strftime",
        "regexp_matches",
        "lower",
        "length",
        "row_number",
    ),
    *("lag", "lead", "first", "last", "any_value", "arg_min", "arg_max", "greatest", "least", "printf"),
)
COMMANDS = {
    ".tables": "the relations, one line each; .tables WORD: those with the word in name or comment",
    ".schema": "a relation with its columns and their meaning: .schema run",
    ".help": "what can be written here",
    ".quit": "leave (also Ctrl-D)",
}
"""The commands of the prompt itself."""

WORD = re.compile(r"[\w.]*$")
AFTER_FROM = re.compile(r"\b(?:from|join|describe|summarize)\s+[\w.]*$", re.IGNORECASE)
USED = re.compile(r"\b(?:from|join)\s+([\w.]+)(?:\s+(?:as\s+)?(\w+))?", re.IGNORECASE)
RESERVED = frozenset({"at", "group", "order", "end", "table"})
"""Names of columns that SQL reads as keywords unless they are quoted or qualified."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A text that may replace the last `length` characters, and what it means."""

    text: str
    length: int
    meaning: str


def suggestions(before: str, after: str, relations: Sequence[DescribedRelation]) -> Iterator[Suggestion]:
    """What fits between the text before and the text after the cursor, the most likely first."""
    if before.lstrip().startswith("."):
        yield from _of_command(before.lstrip(), relations)
        return
    found = WORD.search(before)
    word = found.group() if found else ""
    qualifier, dot, part = word.rpartition(".")
    used = _used(before + after, relations)
    if AFTER_FROM.search(before):
        yield from _matching(word, _names(relations))
    elif dot:
        yield from _matching(
            part, _columns(used[qualifier.lower()]) if qualifier.lower() in used else _names(relations)
        )
    elif word:
        columns = dict(pair for each in used.values() for pair in _columns(each))
        yield from _matching(word, ((_quoted(name), meaning) for name, meaning in columns.items()))
        yield from _matching(word, _names(relations))
        words = (*KEYWORDS, *(f"{name}(" for name in FUNCTIONS))
        yield from (Suggestion(each, len(word), "") for each in words if each.startswith(word.lower()))


def _of_command(before: str, relations: Sequence[DescribedRelation]) -> Iterator[Suggestion]:
    command, blank, argument = before.partition(" ")
    if not blank:
        yield from _matching(command, COMMANDS.items())
    elif command == ".schema":
        yield from _matching(argument, _names(relations))


def _names(relations: Iterable[DescribedRelation]) -> Iterator[tuple[str, str]]:
    return ((each.sql_name, each.grain) for each in relations)


def _columns(relation: DescribedRelation) -> Iterator[tuple[str, str]]:
    return ((each.name, each.comment) for each in relation.columns)


def _used(statement: str, relations: Sequence[DescribedRelation]) -> dict[str, DescribedRelation]:
    """The relations that a statement reads, by the names and aliases it has for them."""
    by_name = {each.sql_name: each for each in relations}
    used = {}
    for name, alias in USED.findall(statement):
        if relation := by_name.get(name.lower()):
            used[name.lower()] = relation
            if alias and alias.lower() not in KEYWORDS:
                used[alias.lower()] = relation
    return used


def _quoted(name: str) -> str:
    return f'"{name}"' if name in RESERVED else name


def _matching(word: str, candidates: Iterable[tuple[str, str]]) -> Iterator[Suggestion]:
    """The candidates that begin with the word, then those that hold it."""
    wanted = word.lower().lstrip('"')
    chosen = [each for each in candidates if wanted in each[0].lower()]
    for text, meaning in sorted(chosen, key=lambda each: not each[0].lower().lstrip('"').startswith(wanted)):
        yield Suggestion(text, len(word), meaning)
