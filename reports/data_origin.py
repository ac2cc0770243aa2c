"""What a report says of data that a program made: on its first page, and beside every number that was built in.

Two signs, which mean the same in every report: one for data that were calibrated to published numbers, one for data
behind which no published number is. A table or figure explains its signs below itself, so that it can stand alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from pipeline.study.data_origin import SENTENCES, BuiltIn, listed
from reports import numbers
from reports.study.view import StudyView

MARKS: Final = {"calibrated": "\u2020", "simulated": "\u2021"}
MEANINGS: Final = {
    "calibrated": "Built in: calibrated data show what was put into them; this is no finding.",
    "simulated": "Made up: simulated data show what was put into them; this is no finding.",
}
BELOW: Final = {origin: SENTENCES[origin] for origin in MARKS}
BESIDE: Final = "In text and tables, every p value, interval, verdict, claim and result is marked with"


@dataclass(frozen=True, slots=True)
class TitleOrigin:
    """What the first page says: sentences on the data, each with its first words apart, and the signs that are used."""

    sentences: tuple[tuple[str, str], ...]
    legend: str


def title_origin(study: StudyView) -> TitleOrigin | None:
    """What the first page says of the data; nothing of recorded ones, and of those of which nobody says anything."""
    sentences = study.origins.sentences(study.label)
    return TitleOrigin(tuple(map(_parted, sentences)), _legend(study)) if sentences else None


def _parted(sentence: str) -> tuple[str, str]:
    lead = next(each for each in SENTENCES.values() if sentence.startswith(each))
    return lead, sentence.removeprefix(lead)


def origin_notes(study: StudyView) -> list[str]:
    """What study.toml says of the data, recorded ones as well, and page 1 does not; nothing where it says nothing."""
    on_page_1 = study.origins.sentences(study.label)
    sentences = [each for each in study.origins.sentences(study.label, has_notes=True) if each not in on_page_1]
    recorded = study.origins.study.sentence if study.origins.study.origin == "recorded" else ""
    return [*filter(None, (recorded,)), *sentences]


def meaning(mark: str) -> str:
    """What a sign means, after the sign itself."""
    return next(f"{mark} {MEANINGS[origin]}" for origin, each in MARKS.items() if each == mark)


def mark_of(study: StudyView, configurations: Iterable[str | None]) -> str:
    """The sign beside what rests on some configurations; empty where they were recorded, or nobody says."""
    return MARKS.get(study.origins.of(configurations).origin or "", "")


def mark_beside(found: BuiltIn) -> str:
    """The sign of a claim, table or figure."""
    return MARKS.get(found.origin or "", MARKS["calibrated"]) if found.is_built_in else ""


def marked_sentence(study: StudyView, sentence: str, configurations: Sequence[str]) -> str:
    """A sentence with its sign at the end."""
    mark = mark_of(study, configurations) if configurations else ""
    return f"{sentence}{numbers.NO_BREAK_SPACE}{mark}" if mark else sentence


def sentence_end(text: str) -> str:
    """A text of the study with a full stop at its end."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def prose_note(study: StudyView, configurations: Sequence[str]) -> str:
    """What is below prose that prints numbers of some configurations; empty where none of them was made."""
    notes = below(study, configurations) if configurations else []
    return f"The numbers above: {' '.join(notes)}" if notes else ""


def below(study: StudyView, configurations: Sequence[str]) -> list[str]:
    """What is said below numbers of some configurations; those that are not of the study's own kind are named."""
    kinds: dict[str | None, list[str]] = {}
    named: Sequence[str | None] = configurations or [None]
    for each in named:
        kinds.setdefault(study.origins.of([each]).origin, []).append(study.label(each))
    usual = study.origins.study.origin if len(kinds) > 1 else next(iter(kinds))
    said = []
    for origin in MARKS:
        if origin in kinds:
            names = list(dict.fromkeys(kinds[origin]))
            said.append(f"{BELOW[origin]}." if origin == usual else f"{BELOW[origin]}, in {listed(names)}.")
    return said


def _legend(study: StudyView) -> str:
    origins = {study.origins.study.origin, *(each.origin for each in study.origins.configurations.values())}
    used = [f"{mark} for {origin} data" for origin, mark in MARKS.items() if origin in origins]
    return f"{BESIDE} {', '.join(used)}: such numbers show what was put in, not what was found."
