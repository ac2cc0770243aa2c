"""Which format a file is and why; why the others are not. Content decides; a file name only breaks a tie.

Formats whose file names fit are asked first. Where one of them shows a signature that no other format has, the others
are not asked; nor is a format without one of its `hints` among the lines: with many formats and many small files,
asking is what costs. For the same reason several files are asked about at a time, one format after the other: Polars
keeps a few dozen compiled patterns, and all formats together have several hundred.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch

import polars as pl

from parsers.format import Format, Recognition, Refusal

SIGNATURE = 0.9
"""A claim from here on is a signature that no other format has (`parsers/format.py`)."""


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
    texts = [None if _is_signed(told) else "\n".join(each.head) for each, told in zip(questions, answers, strict=True)]
    for name, each in formats.items():
        for question, text, told in zip(questions, texts, answers, strict=True):
            if text is not None and name not in told:
                told[name] = _answer(question.head, text, each)
    return [dict(sorted(told.items())) for told in answers]


def _is_signed(answers: Mapping[str, Recognition | Refusal]) -> bool:
    return any(isinstance(each, Recognition) and each.confidence >= SIGNATURE for each in answers.values())


def _answer(head: pl.Series, text: str, candidate: Format) -> Recognition | Refusal:
    """What a format says of a file; without one of its words, which is sooner found out, it need not be asked."""
    if candidate.hints and not any(word in text for word in candidate.hints):
        return Refusal(
            f"none of the words of which it has at least one: {', '.join(candidate.hints)}", max(len(head), 1)
        )
    return candidate.recognise(head)


def _stated(name: str, formats: Mapping[str, Format]) -> Decision:
    if name in formats:
        return Decision(name, "study.toml says so")
    return Decision(None, f"study.toml says {name}, which is no format; known are {', '.join(sorted(formats))}")


def _has_name(file_name: str, candidate: Format) -> bool:
    return any(fnmatch(file_name.lower(), pattern.lower()) for pattern in candidate.file_names)


def _tie(tied: list[str], named: list[str]) -> str:
    others = ", ".join(tied)
    return f"the file name decides among {others}" if named else f"the first by name among {others}"
