"""The lines that decided a doubt, as lists like those behind numbers: so a page leads from a doubt to its lines."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from reports.lineage.run_values import RunValue, RunValues, Several, Values, cut_text
from reports.study.view import StudyView, statement
from reports.words import Doubt, in_words

MOST_LINES: Final = 200
"""Lines of one doubt that a page lists; the relation `finding` has all."""

TITLE: Final = "lines that decided a doubt"
FIRST: Final = "first line"
NO_RUN: Final = "no run"


def with_doubts(behind: RunValues, study: StudyView, doubts: Sequence[Doubt]) -> RunValues:
    """The lists behind numbers, and after them a list of lines for each doubt that has some, a list a configuration."""
    values, several = list(behind.values), list(behind.several)
    texts = _rejected(study, doubts)
    for each in doubts:
        sides = _lists(study, each, texts)
        if len(sides) > 1:
            sides = tuple(replace(side, anchor=f"{each.anchor}-{place}") for place, side in enumerate(sides, 1))
            several.append(Several(each.anchor, sides))
        values += sides
    return replace(behind, values=tuple(values), several=tuple(several))


def _rejected(study: StudyView, doubts: Sequence[Doubt]) -> Mapping[str, str]:
    """The texts of the lines that no parser took, by their place: no lane has them."""
    places = sorted({line.place for each in doubts for line in each.lines[:MOST_LINES]})
    if not places:
        return {}
    named = [place.rpartition(":") for place in places]
    rows = study.store.plain_rows(
        statement("rejected_texts"),
        paths=[path for path, _, _ in named],
        numbers=[int(number) for _, _, number in named],
    )
    return {f"{row['path']}:{row['line_no']}": cut_text(row["text"] or "") for row in rows}


def _lists(study: StudyView, doubt: Doubt, texts: Mapping[str, str]) -> tuple[Values, ...]:
    places = {configuration: place for place, configuration in enumerate(study.labels)}
    ordered = sorted(doubt.lines[:MOST_LINES], key=lambda line: places.get(line.configuration, len(places)))
    return tuple(
        Values(
            doubt.anchor,
            configuration,
            study.label(configuration) if configuration else "",
            TITLE,
            "",
            tuple(
                RunValue(
                    each.run or NO_RUN,
                    in_words(study, f"`{each.item}`") if each.item else FIRST,
                    places=(each.place,),
                    text=texts.get(each.place, ""),
                )
                for each in lines
            ),
            is_on_paper=False,
        )
        for configuration, lines in groupby(ordered, key=lambda line: line.configuration)
    )
