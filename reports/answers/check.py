"""A check for machines and pages of a build: JUnit XML, and a summary in Markdown."""

from collections.abc import Iterator
from xml.etree import ElementTree as ET

from pipeline.ask.check.check import Checked
from pipeline.ask.check.quality import Broken
from pipeline.ask.check.verdict import EvaluatedClaim, Verdict
from reports import numbers
from reports.typeset.escape import markdown, visible
from reports.words import counted

SHOWN_DOUBTS = 20
"""Findings of a rule that a test case prints."""

MARKS = {Verdict.PASS: "\u2705", Verdict.FAIL: "\u274c", Verdict.CANNOT_TELL: "\u2754"}


def junit(checked: Checked) -> bytes:
    """The check as JUnit XML: a test case for each claim and for each rule that found something.

    A claim of which nothing can be determined is skipped, and fails with --strict. A rule fails where `--fail-on` names
    it; the findings of others are its output.
    """
    cases = [*map(_claim_case, checked.claims), *map(_rule_case, checked.rules)]
    if checked.is_strict:
        for case in cases:
            for skipped in case.findall("skipped"):
                skipped.tag = "failure"
    failures, skipped_count = (sum(each.find(tag) is not None for each in cases) for tag in ("failure", "skipped"))
    counts = {"tests": str(len(cases)), "failures": str(failures), "skipped": str(skipped_count), "errors": "0"}
    root = ET.Element("testsuites", {"name": "haledger check", **counts})
    suite = ET.SubElement(root, "testsuite", {"name": visible(checked.study), **counts})
    suite.extend(cases)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'.encode()


def summary(checked: Checked) -> str:
    """The check in Markdown, as a page of a build shows it: the outcome first, then claims, then doubts."""
    return "\n".join(_summary(checked)) + "\n"


def _summary(checked: Checked) -> Iterator[str]:
    warnings = sum(each.is_warning for each in checked.rules)
    unclaimed = "no claims" + (f"; {counted(warnings, 'warning')}" if warnings else "")
    outcome = "; ".join(checked.failures) or ("holds" if checked.claims else unclaimed)
    yield f"## haledger check: {markdown(visible(checked.study))}"
    yield ""
    yield f"**{markdown(visible(outcome))}**"
    for sentence in checked.origins.sentences():
        yield ""
        yield markdown(sentence)
    if checked.claims:
        yield ""
        yield "| | Claim | Asked | Found | Runs |"
        yield "| --- | --- | --- | --- | ---: |"
        for claim in checked.claims:
            runs = "" if claim.estimate is None or claim.estimate.runs is None else str(claim.estimate.runs)
            cells = (f"{claim.number}. {claim.text}", claim.condition, _found(claim), runs)
            verdict = f"{MARKS[claim.verdict]} {claim.verdict}"
            yield f"| {' | '.join([verdict, *(markdown(visible(each)) for each in cells)])} |"
    shown = [each for each in checked.rules if each.is_fatal or each.is_warning]
    if shown:
        yield ""
        yield "| | Rule | Found |"
        yield "| --- | --- | --- |"
        for rule in shown:
            verdict = f"{MARKS[Verdict.FAIL]} FAIL" if rule.is_fatal else "\u26a0\ufe0f WARN"
            more = f" (and {len(rule.doubts) - 1} more)" if len(rule.doubts) > 1 else ""
            yield f"| {verdict} | {markdown(rule.rule)} | {markdown(visible(rule.doubts[0].text))}{more} |"


def _claim_case(claim: EvaluatedClaim) -> ET.Element:
    name = visible(f"{claim.number}. {claim.text}")
    case = ET.Element("testcase", {"classname": "claims", "name": name})
    said = visible("; ".join(filter(None, (claim.condition, _found(claim), claim.reason, claim.built_in.words))))
    if claim.verdict is Verdict.PASS:
        ET.SubElement(case, "system-out").text = said
    else:
        kind = "failure" if claim.verdict is Verdict.FAIL else "skipped"
        ET.SubElement(case, kind, {"message": said})
    return case


def _rule_case(rule: Broken) -> ET.Element:
    case = ET.Element("testcase", {"classname": "data quality", "name": rule.rule})
    texts = [visible(each.text) for each in rule.doubts[:SHOWN_DOUBTS]]
    if len(rule.doubts) > SHOWN_DOUBTS:
        texts.append(f"... and {len(rule.doubts) - SHOWN_DOUBTS} more")
    if rule.is_fatal:
        ET.SubElement(case, "failure", {"message": texts[0]}).text = "\n".join(texts)
    else:
        ET.SubElement(case, "system-out").text = "\n".join(texts)
    return case


def _found(claim: EvaluatedClaim) -> str:
    estimate = claim.estimate
    if estimate is None or estimate.value is None:
        return ""
    unit = f" {estimate.unit}" if estimate.unit else ""
    interval = ""
    if estimate.low is not None and estimate.high is not None:
        interval = f" ({numbers.compact(estimate.low)} to {numbers.compact(estimate.high)})"
    return f"{numbers.compact(estimate.value)}{unit}{interval}"
