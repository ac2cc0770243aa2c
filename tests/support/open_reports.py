"""What a file that is read in spans gives at its end."""

from collections.abc import Sequence

from parsers.format import formats
from pipeline.reading.frames import in_memory
from pipeline.reading.report_dates import Declared
from pipeline.reading.report_spans import OpenReports
from pipeline.reading.unit import Result, finished


def rest_of(name: str, spans: Sequence[Result], declared: Declared | None = None) -> list[Result]:
    """The rows that spans of file 1 left open, in pieces, and then what its dates may mean."""
    parser = formats()[name]
    if parser.reports is None or not any(each.open for each in spans):
        return []
    held = OpenReports(parser.reports, 1, in_memory())
    for each in spans:
        if each.open:
            held.add(each.open)
    return list(finished(parser, {} if declared is None else {1: declared}, held, 1))
