"""Which format a file is and why; why the others are not. Content decides; a file name only breaks a tie.

Formats whose file names fit are asked first. Where one of them shows a signature that no other format has, the others
are not asked; nor is a format without one of its `hints` among the lines: with many formats and many small files,
asking is what costs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch

import polars as pl

from parsers.format import Format, Recognition, Refusal

SIGNATURE = 0.9
"""A claim from here on is a signature that no other format has (`parsers/format.py`)."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The format of a file, or None. `refusals`: why each other format is not it, and the line that showed it."""

    format: str | None
    reason: str
    line_no: int | None = None
    refusals: Mapping[str, Refusal] = field(default_factory=dict)


def recognise(head: pl.Series, file_name: str, formats: Mapping[str, Format], override: str | None = None) -> Decision:
    """Ask every format for its claim on a file with these first lines; the most confident wins."""
    if override is not None:
        return _stated(override, formats)
    answers = _answers(head, file_name, formats)
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


def _answers(head: pl.Series, file_name: str, formats: Mapping[str, Format]) -> dict[str, Recognition | Refusal]:
    named = sorted(name for name, each in formats.items() if _has_name(file_name, each))
    text = "\n".join(head.to_list())
    answers = {name: formats[name].recognise(head) for name in named}
    if any(isinstance(each, Recognition) and each.confidence >= SIGNATURE for each in answers.values()):
        return answers
    answers |= {name: _answer(head, text, each) for name, each in formats.items() if name not in answers}
    return dict(sorted(answers.items()))


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
