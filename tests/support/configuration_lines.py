"""What tests of formats that are read line by line share: frames of lines, rows by name, any lines at all."""

import polars as pl

from parsers.format import Format, Recognition, Verdict
from tests.support.message_lines import numbered


def values(form: Format, *texts: str) -> dict[str, str]:
    """Values by name of a file with these lines."""
    tables = form.parse(numbered(texts)).tables
    return dict(tables["parameter_value"].select("name", "value").iter_rows()) if tables else {}


def verdicts(form: Format, *texts: str) -> list[Verdict]:
    """What became of each line."""
    return [Verdict(each) for each in form.parse(numbered(texts)).lines["verdict"]]


def confidence(form: Format, *texts: str) -> float:
    """How sure the format is of a file with these first lines, 0 where it refuses."""
    found = form.recognise(pl.Series(texts, dtype=pl.String()))
    assert found.reason
    return found.confidence if isinstance(found, Recognition) else 0.0
