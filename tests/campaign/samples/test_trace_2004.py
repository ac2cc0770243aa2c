"""Every cell of Table 3.7 leads to lines that a person would accept, and those lines alone give the printed number."""

import re
from datetime import datetime, timedelta
from pathlib import Path
from statistics import fmean

import pytest

from pipeline.ask.trace.lines import Study
from pipeline.ask.trace.parts import Run
from pipeline.ask.trace.trace import Trace
from pipeline.query import sandbox
from pipeline.query.bounded import STUDY_LIMITS
from reports import numbers
from reports.answers.trace_question import trace_cell
from reports.study.store import Store
from reports.study.view import StudyView
from reports.tables import catalogue
from tests.support.sample import sample_store

STUDY = Path(__file__).parents[3] / "samples" / "failover-2004"

EVIDENCE = {
    "llt": r"llt: .*LLT:(10509: link \d .* expired|10032: link \d .* inactive \d+ sec)",
    "gab": r"gab: .*GAB:20036: Port a gen \w+ membership",
    "vm": r"VCS:10298:Resource db2shark .* is online on sun-ha\d \(VCS initiated\)",
    "fs": r"VCS:10298:Resource (datashark|db03shark) .* is online on sun-ha\d \(VCS initiated\)",
    "ip": r"VCS:10298:Resource \S+ .* is online on sun-ha\d \(VCS initiated\)",
    "db2udb": r"VCS:10298:Resource absolut_udb .* is online on sun-ha\d \(VCS initiated\)",
    "detect": r"Crash Recovery is needed",
    "complete": r"Crash recovery completed",
}
"""What each step looks like in the log, written from the logs and not from the rules."""

HEARTBEAT_S = 0.5
SYSLOG = re.compile(r"^(\w{3}) +(\d+) (\d\d:\d\d:\d\d) ")
ENGINE = re.compile(r"^TAG_\w (\d{4}/\d\d/\d\d \d\d:\d\d:\d\d) ")
DB2DIAG = re.compile(r"^(\d{4}-\d\d-\d\d-\d\d\.\d\d\.\d\d\.\d{6}) ")


def printed_at(text: str) -> datetime:
    """The wall clock that a line states."""
    if found := SYSLOG.match(text):
        stamp = f"2003 {found[1]} {found[2]} {found[3]}"
        return datetime.strptime(stamp, "%Y %b %d %H:%M:%S")  # noqa: DTZ007 - the wall clock of the log
    if found := ENGINE.match(text):
        return datetime.strptime(found[1], "%Y/%m/%d %H:%M:%S")  # noqa: DTZ007 - the wall clock of the log
    found = DB2DIAG.match(text)
    assert found is not None, text
    return datetime.strptime(found[1], "%Y-%m-%d-%H.%M.%S.%f")  # noqa: DTZ007 - the wall clock of the log


def fault_at(texts: list[str]) -> datetime:
    """Middle of what all `inactive N sec` lines have in common: N to N + 1 s before stamps cut to a second."""
    lows, highs = [], []
    for text in texts:
        found = re.search(r"inactive (\d+) sec", text)
        assert found is not None, text
        silent_s = int(found[1])
        lows.append(printed_at(text) - timedelta(seconds=silent_s + 1))
        highs.append(printed_at(text) - timedelta(seconds=silent_s - 1))
    low, high = max(lows), min(highs) + timedelta(seconds=HEARTBEAT_S)
    return low + (high - low) / 2


def text_of(trace: Trace, run: Run, role: str) -> list[str]:
    found = []
    for line in run.lines:
        if line.role == role:
            assert line.line_no is not None
            found.append(trace.sources[line.file_id].lines[line.line_no])
    return found


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample_store(STUDY.name, tmp_path_factory)


@pytest.mark.parametrize("configuration", ["default", "tuned"])
@pytest.mark.parametrize("milestone", EVIDENCE)
def test_the_lines_of_a_cell_are_its_evidence_and_give_its_number(
    store: Path, configuration: str, milestone: str
) -> None:
    with sandbox.connect(store, STUDY_LIMITS) as con:
        table = catalogue.all_tables(StudyView(Store(con)))["table-3-7"]
        row_no = next(place for place, row in enumerate(table.rows) if row[0].values == (configuration,))
        names = [column.names[0] for column in table.columns]
        column_no = names.index(f"{milestone}_mean_s")
        trace = trace_cell(con, table, row_no, column_no, Study(STUDY, 0))
    assert len(trace.runs) == 10
    assert {source.state for source in trace.sources.values()} == {"as read"}
    elapsed = []
    for run in trace.runs:
        (shown,) = (line for line in run.lines if line.role == milestone)
        assert shown.line_no is not None
        source = trace.sources[shown.file_id]
        record = source.record(shown.line_no)
        assert re.search(EVIDENCE[milestone], "\n".join(record))
        assert source.path.startswith(f"{configuration}/{run.run}/")
        cut_s = 0 if DB2DIAG.match(record[0]) else 1  # the step lies up to so much after the stamp
        seconds = (printed_at(record[0]) - fault_at(text_of(trace, run, "fault"))).total_seconds() + cut_s / 2
        assert run.value == pytest.approx(seconds, abs=1e-6)
        elapsed.append(seconds)
    printed = table.rows[row_no][column_no].text.split()[0]
    assert numbers.fixed(fmean(elapsed), 0) == printed


def test_a_fault_time_says_that_no_line_gives_it(store: Path) -> None:
    with sandbox.connect(store, STUDY_LIMITS) as con:
        table = catalogue.all_tables(StudyView(Store(con)))["table-3-7"]
        trace = trace_cell(con, table, 0, len(table.columns) - 1, Study(STUDY, 0))
    for run in trace.runs:
        (inference,) = run.inference
        assert inference.what == "fault (inactive series)"
        assert "no line reports it" in inference.how
        assert "is t = 0" in inference.found
