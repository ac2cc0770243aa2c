"""Which format a file is and why; why the others are not. Content decides; a file name only breaks a tie.

Formats whose file names fit are asked first. Where one of them shows a signature that no other format has, the others
are not asked; nor is a format without a line that it `needs`: with many formats and many small files, asking is what
costs. For the same reason several files are asked about at a time, one format after the other: what is needed is looked
for in all of them at once, and Polars keeps a few dozen compiled patterns, of which all formats have several hundred.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch

import polars as pl

from parsers.format import Format, Recognition, Refusal

SIGNATURE = 0.9
"""A claim from here on is a signature that no other format has (`parsers/format.py`)."""

WORDS = re.compile(r'[\w :*/"-]+')


@dataclass(frozen=True, slots=True)
class Question:
    """A file to recognise: its first lines, its name, the format that study.toml states for it."""

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
        _decide(each.file_name, next(answers), formats) if each.override is None else _stated(each.override, formats)
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
    for name, each in formats.items():
        for question, told in zip(questions, answers, strict=True):
            if _has_name(question.file_name, each):
                told[name] = each.recognise(question.head)
    unsigned = [pair for pair in zip(questions, answers, strict=True) if not _is_signed(pair[1])]
    lacking = _lacking([question.head for question, _ in unsigned], formats)
    for name, each in formats.items():
        for (question, told), lacks in zip(unsigned, lacking, strict=True):
            if name not in told:
                told[name] = _without_needs(each, question.head) if name in lacks else each.recognise(question.head)
    return [dict(sorted(told.items())) for told in answers]


def _lacking(heads: Sequence[pl.Series], formats: Mapping[str, Format]) -> list[set[str]]:
    """Of each head the formats that need a line which it does not have."""
    if not heads:
        return []
    needs = {name: each.needs for name, each in formats.items() if each.needs is not None}
    numbers = [pl.repeat(number, len(head), dtype=pl.UInt32, eager=True) for number, head in enumerate(heads)]
    lines = pl.DataFrame({"head_no": pl.concat(numbers), "text": pl.concat(heads)})
    text = pl.col("text").str
    found = lines.select("head_no", *(text.contains(pattern).alias(name) for name, pattern in needs.items()))
    has = found.group_by("head_no").agg(pl.exclude("head_no").any())
    held = {number: {name for name, holds in zip(needs, row, strict=True) if holds} for number, *row in has.iter_rows()}
    return [set(needs) - held.get(number, set()) for number in range(len(heads))]


def _is_signed(answers: Mapping[str, Recognition | Refusal]) -> bool:
    return any(isinstance(each, Recognition) and each.confidence >= SIGNATURE for each in answers.values())


def _without_needs(candidate: Format, head: pl.Series) -> Refusal:
    """A refusal in words: a pattern tells people something only where it is a list of words."""
    words = (candidate.needs or "").replace("\\*", "*").split("|")
    if all(WORDS.fullmatch(each) for each in words):
        reason = f"none of the words of which it has at least one: {', '.join(words)}"
    else:
        reason = "no line that every such file has"
    return Refusal(reason, max(len(head), 1))


def _stated(name: str, formats: Mapping[str, Format]) -> Decision:
    if name in formats:
        return Decision(name, "study.toml says so")
    return Decision(None, f"study.toml says {name}, which is no format; known are {', '.join(sorted(formats))}")


def _has_name(file_name: str, candidate: Format) -> bool:
    return any(fnmatch(file_name.lower(), pattern.lower()) for pattern in candidate.file_names)


def _tie(tied: list[str], named: list[str]) -> str:
    others = ", ".join(tied)
    return f"the file name decides among {others}" if named else f"the first by name among {others}"
