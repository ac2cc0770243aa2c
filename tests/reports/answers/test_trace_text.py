"""The words of a trace where the text of a line is not to be had."""

import pytest

from pipeline.ask.trace.lines import SourceText, State
from pipeline.ask.trace.parts import Line, Run
from pipeline.ask.trace.trace import Trace
from reports.answers.trace_text import lines


@pytest.mark.parametrize(
    ("state", "why"), [("not found", "the file is not here"), ("changed", "the file no longer has this line")]
)
def test_a_line_without_text_says_whether_its_file_is_there(state: State, why: str) -> None:
    source = SourceText(1, "run01/a.log", "0" * 64, "utf-8", state=state)
    trace = Trace("table 1", None, {}, (), (Run("tuned", "run01", lines=[Line("up", 1, 7)]),), {1: source}, {})
    shown = ["".join(span.text for span in line).strip() for line in lines(trace)]
    assert f"(no text: {why}, and the store does not keep it)" in shown
