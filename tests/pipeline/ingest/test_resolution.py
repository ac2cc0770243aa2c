"""What files together show of the machine that they are read on."""

from datetime import datetime
from pathlib import Path

import pytest

from pipeline.discovery.source import Source
from pipeline.ingest.ledger import files_to_read
from pipeline.ingest.resolution import machine_time
from pipeline.study.manifest import parse
from tests.support.dated_logs import moment


@pytest.mark.parametrize(
    ("clock", "times", "expected"),
    [
        pytest.param("2026-03-01", ["2003-07-28", "2026-02-01"], "2026-03-01", id="right"),
        pytest.param("1970-01-01", ["2003-07-28", "2026-02-01"], "2026-02-01", id="not set: all files are newer"),
        pytest.param("2026-03-01", ["2026-02-01", "2077-01-01"], "2026-03-01", id="one file is of the future"),
        pytest.param("2026-03-01T12:00", ["2026-03-02"], "2026-03-01T12:00", id="a zone away"),
        pytest.param("2026-03-01", [], "2026-03-01", id="no file"),
    ],
)
def test_machine_whose_clock_is_behind_most_files_has_a_wrong_one(clock: str, times: list[str], expected: str) -> None:
    stamps = [int((moment(each) - datetime(1970, 1, 1)).total_seconds()) * 10**9 for each in times]  # noqa: DTZ001  naive UTC
    sources = [Source(f"f{i}", Path(f"f{i}"), 0, stamp) for i, stamp in enumerate(stamps)]
    files = files_to_read(sources, {each.path: i for i, each in enumerate(sources)}, parse(b""))
    assert machine_time(moment(clock), files) == moment(expected)
