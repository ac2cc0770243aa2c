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


@pytest.mark.parametrize(("number", "doubt"), [(41.0, ""), (50.0, ", which is not the number itself")])
def test_a_mean_that_is_not_the_number_says_so(number: float, doubt: str) -> None:
    runs = tuple(Run("tuned", f"run{i}", value) for i, value in enumerate((40.0, 42.0)))
    trace = Trace("table 1", None, {"mean_s": number}, (), runs, {}, {})
    shown = ["".join(span.text for span in line) for line in lines(trace)]
    assert f"tuned: 2 runs, mean of the values below 41.0{doubt}" in shown


@pytest.mark.parametrize(
    ("number", "how"),
    [
        pytest.param(41.0, "The number is the mean of tuned.", id="a mean"),
        pytest.param(0.5, "The number is the mean of tuned divided by that of plain.", id="a ratio"),
        pytest.param(50.0, "The number is 100 % less the mean of tuned in percent of that of plain.", id="a reduction"),
        pytest.param(
            41.5, "The number does not follow from these means alone: the SQL says how it is computed.", id="no"
        ),
    ],
)
def test_means_of_configurations_give_the_number_or_say_that_they_do_not(number: float, how: str) -> None:
    values = {"tuned": (40.0, 42.0), "plain": (81.0, 83.0)}
    runs = tuple(Run(name, f"run{i}", value) for name, own in values.items() for i, value in enumerate(own))
    trace = Trace("table 1", None, {"ratio": number}, (), runs, {}, {})
    shown = ["".join(span.text for span in line) for line in lines(trace)]
    assert [line for line in shown if line.startswith("The number")] == [how]
