"""A check as JUnit XML and as a summary: verdicts, counts, hostile texts."""

from xml.etree import ElementTree as ET

from pipeline.ask.check.check import Checked
from pipeline.ask.check.quality import Broken, Doubt
from pipeline.ask.check.verdict import Estimate, EvaluatedClaim, Verdict
from pipeline.study.data_origin import NOT_DECLARED, DataOrigins
from reports.answers.check import junit, summary

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
