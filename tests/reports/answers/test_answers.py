"""What the commands check and trace print."""

from xml.etree import ElementTree as ET

import pytest

from pipeline.ask.check.check import Checked
from pipeline.ask.check.quality import Broken, Doubt
from pipeline.ask.check.verdict import Estimate, EvaluatedClaim, Verdict
from pipeline.ask.trace.lines import SourceText, State
from pipeline.ask.trace.parts import Line, Run
from pipeline.ask.trace.trace import Trace
from pipeline.study.data_origin import NOT_DECLARED, DataOrigins
from reports.answers.check import junit, summary
from reports.answers.trace_text import lines

HOSTILE = 'x|y <b>&"]]>\x1b[31m\x00'
CLAIMS = (
    EvaluatedClaim(1, "fast", "mean <= 40 s", Verdict.PASS, "", Estimate(39.0, 38.0, 40.0, "s", 10)),
    EvaluatedClaim(2, HOSTILE, "true", Verdict.FAIL, HOSTILE),
    EvaluatedClaim(3, "open", "true", Verdict.CANNOT_TELL, "too few runs"),
)
DOUBTS = tuple(Doubt("warning", None, None, f"doubt {number}", None, None) for number in range(25))


def _checked(*, is_strict: bool) -> Checked:
    rules = (Broken("excluded", True, DOUBTS[:1]), Broken("outlier", False, DOUBTS))
    return Checked("study", CLAIMS, rules, is_strict, DataOrigins(NOT_DECLARED, {}))


def test_each_claim_and_rule_is_a_test_case() -> None:
    for is_strict, failures, skipped in ((False, 2, 1), (True, 3, 0)):
        root = ET.fromstring(junit(_checked(is_strict=is_strict)))
        (suite,) = root
        assert [suite.get(name) for name in ("tests", "failures", "skipped", "errors")] == [
            *("5", str(failures), str(skipped), "0")
        ]
        found = {case.get("name"): {each.tag for each in case} for case in suite}
        assert (found["1. fast"], found["excluded"], found["outlier"]) == ({"system-out"}, {"failure"}, {"system-out"})
        assert found["3. open"] == ({"failure"} if is_strict else {"skipped"})
    assert b"... and 5 more" in junit(_checked(is_strict=False))


def test_the_summary_has_a_row_for_each_and_keeps_its_columns() -> None:
    text = summary(_checked(is_strict=False))
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert [word for line in rows for word in ("PASS", "FAIL", "CANNOT TELL", "WARN") if word in line] == [
        *("PASS", "FAIL", "CANNOT TELL", "FAIL", "WARN")
    ]
    assert "\x1b" not in text
    assert "<b>" not in text
    assert "39" in rows[2]
    assert "(and 24 more)" in rows[-1]


@pytest.mark.parametrize(
    ("state", "why"), [("not found", "the file is not here"), ("changed", "the file no longer has this line")]
)
def test_a_line_without_text_says_whether_its_file_is_there(state: State, why: str) -> None:
    source = SourceText(1, "run01/a.log", "0" * 64, "utf-8", state=state)
    trace = Trace("table 1", None, {}, (), (Run("tuned", "run01", lines=[Line("up", 1, 7)]),), {1: source}, {})
    shown = ["".join(span.text for span in line).strip() for line in lines(trace)]
    assert f"(no text: {why}, and the store does not keep it)" in shown


@pytest.mark.parametrize(
    ("printed", "number", "said"),
    [
        ("47.0", 47.0, "mean of the values below 47.0"),
        ("50.0", 50.0, "mean of the values below 47.0, which is not the number itself"),
        ("41.0 | 59.0", None, "in two modes: 2 runs with mean 41.0 and 1 run with mean 59.0"),
        ("40.0 | 59.0", None, "mean of the values below 47.0, which is not the number itself"),
    ],
)
def test_how_runs_give_the_number_or_that_they_do_not(printed: str, number: float | None, said: str) -> None:
    runs = tuple(Run("tuned", f"run{i}", value) for i, value in enumerate((40.0, 59.0, 42.0)))
    trace = Trace("table 1", printed, {"mean_s": number}, (), runs, {}, {})
    shown = ["".join(span.text for span in line) for line in lines(trace)]
    assert f"tuned: 3 runs, {said}" in shown


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
