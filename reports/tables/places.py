"""In which configurations something holds, in words."""

from collections.abc import Sequence

from reports.study_view import StudyView
from reports.tables.model import Cell


def places(study: StudyView, configurations: Sequence[str], everywhere: Sequence[str]) -> Cell:
    """The labels, apart by semicolons as a label may hold a comma; told by the others where these are fewer."""
    others = [each for each in everywhere if each not in configurations]
    if not others and len(everywhere) > 1:
        printed = "all"
    elif others and len(others) < len(configurations):
        printed = "all but " + "; ".join(map(study.label, others))
    else:
        printed = "; ".join(map(study.label, configurations))
    return Cell(printed, (", ".join(configurations),))
