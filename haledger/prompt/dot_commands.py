"""The dot commands of the prompt of `haledger sql`: .tables, .schema, .help. Pure: a command in, lines out."""

import textwrap
from collections.abc import Iterator, Sequence

from haledger.prompt.completion import COMMANDS
from pipeline.errors import UsageError
from pipeline.store.description import DescribedRelation
from pipeline.store.findings import findings
from pipeline.suggestions import close_names

HELP = """\
Statements end with a semicolon and may take several lines; Tab completes, the arrow up recalls.
Ctrl-C stops a statement, Ctrl-D on an empty line leaves. The column "at" is written in double quotes, or as e.at.
Example: select configuration, milestone, mean_s from milestone_stats;"""


def obeyed(command: str, relations: Sequence[DescribedRelation], width: int) -> Iterator[str]:
    """The lines that answer a command."""
    name, _, argument = command.strip().partition(" ")
    argument = argument.strip().rstrip(";").strip()
    if name == ".tables":
        return _tables(argument.lower(), relations, width)
    if name == ".schema":
        return _schema(argument, relations, width)
    if name == ".help":
        return _help(width)
    near = close_names(name, COMMANDS)
    raise UsageError(f"{name}: not a command; " + (f"did you mean {near[0]}?" if near else ".help lists them"))


def _help(width: int) -> Iterator[str]:
    yield from _aligned(list(COMMANDS.items()), width)
    yield ""
    yield from HELP.splitlines()


def _tables(word: str, relations: Sequence[DescribedRelation], width: int) -> Iterator[str]:
    """The public relations, or all that have the word in their name, comment or columns."""
    chosen = [each for each in relations if (_speaks_of(each, word) if word else each.schema == "main")]
    yield from _aligned([(each.sql_name, each.grain) for each in chosen], width)
    yield f"({len(chosen)} relations; .schema NAME shows the columns of one)"


def _speaks_of(relation: DescribedRelation, word: str) -> bool:
    texts = (relation.sql_name, relation.comment, *(each.name for each in relation.columns))
    return any(word in text.lower() for text in texts)


def _schema(name: str, relations: Sequence[DescribedRelation], width: int) -> Iterator[str]:
    by_name = {each.sql_name: each for each in relations}
    relation = by_name.get(name.lower().removeprefix("main."))
    if relation is None:
        near = close_names(name, by_name, 3)
        advice = f"did you mean {', '.join(near)}?" if near else ".tables lists them"
        raise UsageError(f"{name}: no such relation; {advice}" if name else "which one? example: .schema run")
    yield f"{relation.kind} {relation.sql_name}"
    yield from textwrap.wrap(relation.comment, width)
    yield ""
    longest = max((len(each.name) for each in relation.columns), default=0)
    yield from _aligned(
        [(f"{each.name:{longest}}  {each.data_type.lower()}", each.comment) for each in relation.columns], width
    )
    if relation.sql_name == "finding":
        yield from ("", "Kinds, and when each appears:")
        yield from _aligned([(each.kind, f"({each.severity}) {each.when}") for each in findings()], width)


def _aligned(pairs: Sequence[tuple[str, str]], width: int) -> Iterator[str]:
    """Two columns, the second folded to what is left of the width."""
    left = min(max((len(name) for name, _ in pairs), default=0), width // 2)
    for name, meaning in pairs:
        folded = textwrap.wrap(meaning, max(width - left - 2, 20)) or [""]
        yield f"{name:{left}}  {folded[0]}".rstrip()
        yield from (" " * (left + 2) + line for line in folded[1:])
