"""The lines that decided a doubt, as lists like those behind numbers: so a page leads from a doubt to its lines."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from reports.lineage.run_values import RunValue, RunValues, Several, Values
from reports.study.view import StudyView
from reports.words import Doubt, in_words

MOST_LINES: Final = 200
"""Lines of one doubt that a page lists; the relation `finding` has all."""

TITLE: Final = "lines that decided a doubt"
FIRST: Final = "first line"
NO_RUN: Final = "no run"


def with_doubts(behind: RunValues, study: StudyView, doubts: Sequence[Doubt]) -> RunValues:
    """The lists behind numbers, and after them a list of lines for each doubt that has some, a list a configuration."""
    values, several = list(behind.values), list(behind.several)
    for each in doubts:
        sides = _lists(study, each)
        if len(sides) > 1:
            sides = tuple(replace(side, anchor=f"{each.anchor}-{place}") for place, side in enumerate(sides, 1))
            several.append(Several(each.anchor, sides))
        values += sides
    return replace(behind, values=tuple(values), several=tuple(several))


def _lists(study: StudyView, doubt: Doubt) -> tuple[Values, ...]:
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
                    each.run or NO_RUN, in_words(study, f"`{each.item}`") if each.item else FIRST, places=(each.place,)
                )
                for each in lines
            ),
            is_on_paper=False,
        )
        for configuration, lines in groupby(ordered, key=lambda line: line.configuration)
    )
