"""Signs in figures of data that a program made, explained below them."""

from typing import Final

from reports.data_origin import below, sentence_end
from reports.figures.model import Figure
from reports.study.view import StudyView

PLAIN_TOPICS: Final = frozenset({"environment", "cluster"})
"""Parts of the report whose figures show how things are arranged."""


def marked_figure(study: StudyView, figure: Figure) -> Figure:
    """The figure with a note where its data were made."""
    declared = study.built_in.get(("figure", figure.name))
    if not study.origins.configurations or (declared is None and figure.topic in PLAIN_TOPICS):
        return figure
    shown = list(figure.configurations or study.origins.named_in(figure.sql))
    found = study.origins.built_in(declared, shown)
    if not found.is_built_in:
        return figure
    notes = [*below(study, shown), *([f"Built in: {sentence_end(found.note)}"] if found.note else [])]
    return figure.with_note(" ".join(notes)) if notes else figure
