"""Which configuration and run of a study a person means, who calls them by name, by label or by number."""

from collections.abc import Sequence

from pipeline.errors import UsageError
from pipeline.study.places.run_names import number_of
from pipeline.suggestions import close_names
from reports.study.view import StudyView

KEYS = "select distinct configuration, run, run_no from main.run order by all"


def configuration_named(study: StudyView, text: str) -> str:
    """The configuration with runs that is called so. Raises UsageError, with the names that there are."""
    keys = sorted({row["configuration"] for row in study.rows_of(KEYS) if row["configuration"] is not None})
    labels = {study.label(each): each for each in keys}
    key = text if text in keys else labels.get(text)
    if key is None:
        raise UsageError(f"{text}: no such configuration with runs{_choices(text, keys)}")
    return key


def run_named(study: StudyView, configuration: str, text: str) -> str:
    """The run of a configuration that is called so. Raises UsageError, with the names that there are."""
    rows = [row for row in study.rows_of(KEYS) if row["configuration"] == configuration]
    names = [row["run"] for row in rows]
    numbered = {str(row["run_no"]): row["run"] for row in rows}
    name = text if text in names else numbered.get(text) or numbered.get(str(number_of(text)))
    if name is None:
        raise UsageError(f"{text}: no such run of {configuration}{_choices(text, names)}")
    return name


def _choices(wanted: str, names: Sequence[str]) -> str:
    near = close_names(wanted, names)
    if near:
        return f"; did you mean {near[0]}?"
    return f"; there are: {', '.join(names[:20])}{' ...' if len(names) > 20 else ''}" if names else ""
