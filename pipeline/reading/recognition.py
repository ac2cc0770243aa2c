"""Which format a file is and why; why the others are not. Content decides; a file name only breaks a tie.

Formats whose file names fit are asked first. Where one of them shows a signature that no other format has, the others
are not asked; nor is a format without a line that it `needs`, nor one that takes the rest of what another claims: with
many formats and many small files, asking is what costs. For the same reason several files are asked about at a time,
one format after the other: what is needed is looked for in all of them at once, and Polars keeps a few dozen compiled
patterns, of which all formats have several hundred.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import translate
from functools import cache

import polars as pl

from parsers.format import Format, Recognition, Refusal

SIGNATURE = 0.9
"""A claim from here on is a signature that no other format has (`parsers/format.py`)."""

WORDS = re.compile(r'[\w :*/"-]+')

CHARACTERS = re.compile(r"\[(?:\\.|[^\]\\])+\]|\\.")
"""The sets of characters of a pattern, and what is escaped."""


@dataclass(frozen=True, slots=True)
class Question:
    """A file to recognise: its first lines, its name, the format that study.toml declares for it."""

    head: pl.Series
    file_name: str
    override: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """The format of a file, or None. `refusals`: why each other format is not it, and the line that showed it."""

    format: str | None
    reason: str
    line_no: int | None = None
    refusals: Mapping[str, Refusal] = field(default_factory=dict)


def recognise(head: pl.Series, file_name: str, formats: Mapping[str, Format], override: str | None = None) -> Decision:
    """Ask every format for its claim on a file with these first lines; the most confident wins."""
    return recognise_each([Question(head, file_name, override)], formats)[0]


def recognise_each(questions: Sequence[Question], formats: Mapping[str, Format]) -> list[Decision]:
    """What each file is; no answer depends on the other files."""
    open_ones = [each for each in questions if each.override is None]
    answers = iter(_answers(open_ones, formats))
    return [
        _decide(each.file_name, next(answers), formats) if each.override is None else _declared(each.override, formats)
        for each in questions
    ]


def _decide(file_name: str, answers: Mapping[str, Recognition | Refusal], formats: Mapping[str, Format]) -> Decision:
    claims = {name: answer for name, answer in answers.items() if isinstance(answer, Recognition)}
    refusals = {name: answer for name, answer in answers.items() if isinstance(answer, Refusal)}
    if not claims:
        return Decision(None, "no format recognises its first lines", refusals=refusals)
    best = max(claim.confidence for claim in claims.values())
    tied = [name for name, claim in claims.items() if claim.confidence == best]
    named = [name for name in tied if _has_name(file_name, formats[name])]
    winner = (named or tied)[0]
    losers = {
        name: Refusal(f"{winner} fits better: {claim.reason}", claim.line_no)
        for name, claim in claims.items()
        if name != winner
    }
    claim = claims[winner]
    reason = claim.reason if len(tied) == 1 else f"{claim.reason}; {_tie(tied, named)}"
    return Decision(winner, reason, claim.line_no, refusals | losers)


def _answers(questions: Sequence[Question], formats: Mapping[str, Format]) -> list[dict[str, Recognition | Refusal]]:
    answers: list[dict[str, Recognition | Refusal]] = [{} for _ in questions]
    named = defaultdict(list)
    for number, asked in enumerate(questions):
        named[asked.file_name].append(number)
    for name, each in formats.items():
        fitting = sorted(number for own, numbers in named.items() if _has_name(own, each) for number in numbers)
        for number, answer in zip(fitting, _asked(each, [questions[number].head for number in fitting]), strict=True):
            answers[number][name] = answer
    nameless = {name: each for name, each in formats.items() if each.is_known_by_name}
    for replies in answers:
        for name in nameless.keys() - replies.keys():
            replies[name] = Refusal("only files of certain names are such", 1)
    unsigned = [number for number, replies in enumerate(answers) if not _is_signed(replies)]
    lacking = dict(zip(unsigned, _lacking([questions[number].head for number in unsigned], formats), strict=True))
    for name, each in sorted(formats.items(), key=lambda item: item[1].takes_the_rest):
        left = [number for number in unsigned if name not in answers[number]]
        if each.takes_the_rest:
            left = [number for number in left if not _is_claimed(answers[number], formats)]
        having = [number for number in left if name not in lacking[number]]
        for number, answer in zip(having, _asked(each, [questions[number].head for number in having]), strict=True):
            answers[number][name] = answer
        for number in set(left) - set(having):
            answers[number][name] = _without_needs(each, questions[number].head)
    return [dict(sorted(replies.items())) for replies in answers]


def _asked(candidate: Format, heads: Sequence[pl.Series]) -> Iterator[Recognition | Refusal]:
    if candidate.look is not None and heads:
        candidate.look(heads)
    for head in heads:
        yield candidate.recognise(head)


def _lacking(heads: Sequence[pl.Series], formats: Mapping[str, Format]) -> list[set[str]]:
    """Of each head the formats that need a line which it does not have."""
    needs = {name: each.needs for name, each in formats.items() if each.needs is not None}
    if not needs:
        return [set() for _ in heads]
    texts = pl.DataFrame({"text": ["\n".join(head.to_list()) for head in heads]}, schema={"text": pl.String})
    text = pl.col("text").str
    found = texts.select(text.contains(within_lines(pattern)).alias(name) for name, pattern in needs.items())
    return [{name for name, fits in zip(needs, row, strict=True) if not fits} for row in found.iter_rows()]


@cache
def within_lines(pattern: str) -> str:
    """The pattern, which is of one line, for a text of many: it fits where it fits one of the lines."""
    return "(?m)" + CHARACTERS.sub(_in_line, pattern)


def _in_line(found: re.Match[str]) -> str:
    """A set of characters without the end of the line."""
    printed = found[0]
    may_be_end = printed.startswith("[^") or any(each in printed for each in (r"\s", r"\D", r"\W"))
    return rf"[{printed}&&[^\n]]" if may_be_end else printed


def _is_signed(answers: Mapping[str, Recognition | Refusal]) -> bool:
    return any(isinstance(each, Recognition) and each.confidence >= SIGNATURE for each in answers.values())


def _is_claimed(answers: Mapping[str, Recognition | Refusal], formats: Mapping[str, Format]) -> bool:
    """Whether a format claims the file that does not only take what others leave."""
    return any(isinstance(answer, Recognition) and not formats[name].takes_the_rest for name, answer in answers.items())


def _without_needs(candidate: Format, head: pl.Series) -> Refusal:
    return Refusal(_what_lacks(candidate.needs or ""), max(len(head), 1))


@cache
def _what_lacks(needs: str) -> str:
    """A refusal in words: a pattern shows people something only where it is a list of words."""
    words = needs.replace("\\*", "*").split("|")
    if all(WORDS.fullmatch(each) for each in words):
        return f"none of the words of which it has at least one: {', '.join(words)}"
    return "no line that every such file has"


def _declared(name: str, formats: Mapping[str, Format]) -> Decision:
    if name in formats:
        return Decision(name, "study.toml says so")
    return Decision(None, f"study.toml says {name}, which is no format; known are {', '.join(sorted(formats))}")


def _has_name(file_name: str, candidate: Format) -> bool:
    return bool(candidate.file_names) and _compiled(candidate.file_names).match(file_name.lower()) is not None


@cache
def _compiled(file_names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(translate(each.lower()) for each in file_names))


def _tie(tied: list[str], named: list[str]) -> str:
    others = ", ".join(tied)
    return f"the file name decides among {others}" if named else f"the first by name among {others}"
