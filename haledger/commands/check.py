"""haledger check: the study's claims and the quality of its data."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from haledger.command import Command
from haledger.options import AsJson, Reference, Study, refuse_unusable, writing
from haledger.terminal import Talk, page_width, painted, progress, show_result
from pipeline.errors import CheckFailedError, UsageError
from reports.typeset.escape import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.ask.check.check import Checked
    from pipeline.ask.check.quality import Broken
    from pipeline.ask.check.verdict import EvaluatedClaim

SHOWN_DOUBTS: Final = 4
"""Findings of one rule that are printed; JSON has all."""

STYLES: Final = {"PASS": "good", "FAIL": "bad", "CANNOT TELL": "doubtful", "WARN": "doubtful", "NOTE": "quiet"}
WIDTH: Final = max(map(len, STYLES)) + 2

Line = tuple[str, str]
"""A verdict, empty on further lines, and text."""


def check(
    study: Study,
    *,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-on", metavar="RULE", help="Fail if this rule on data quality finds anything. May be repeated."
        ),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 5 also if a claim is CANNOT TELL.")] = False,
    reference: Reference = "",
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write the outcome as JUnit XML too.")
    ] = None,
    summary: Annotated[
        Path | None, typer.Option("--summary", metavar="FILE", help="Write a summary in Markdown too.")
    ] = None,
    github: Annotated[
        bool, typer.Option("--github", help="Add the summary to the file that GITHUB_STEP_SUMMARY names.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Evaluate the claims of a study and the quality of its data.

    study.toml declares the claims. PASS: the whole 95 % interval fulfils the claim. FAIL: none of it does. CANNOT TELL:
    part of it does. WARN: a doubt about the data. Uses the store or report of the study in this folder if nothing
    has changed since; else it reads the logs. Exits 5 if a claim fails or a rule of --fail-on finds something, else 0.
    """
    from pipeline.ask.check.check import check as run_check

    refuse_unusable(study)
    step = _step_summary() if github else None
    checked = run_check(
        study,
        fail_on=fail_on or (),
        is_strict=strict,
        reference=reference,
        near=(Path.cwd(),),
        progress=progress(),
    )
    _write(checked, junit, summary, step)
    if as_json:
        show_result(checked.to_dict(), [], as_json=True)
    else:
        for verdict, text in _lines(checked):
            typer.echo(f"{painted(f'{verdict:{WIDTH}}', STYLES.get(verdict, ''))}{visible(text)}".rstrip())
    if checked.failures:
        raise CheckFailedError(f"{study}: {'; '.join(checked.failures)}")


def _step_summary() -> Path:
    """Where a step of a build leaves its summary."""
    named = os.environ.get("GITHUB_STEP_SUMMARY")
    if not named:
        raise UsageError("--github: GITHUB_STEP_SUMMARY is not set, as it is in a workflow; use --summary FILE")
    return Path(named)


def _write(checked: "Checked", junit: Path | None, summary: Path | None, step: Path | None) -> None:
    from reports.answers import check as written

    for place, content in ((junit, written.junit), (summary, lambda each: written.summary(each).encode())):
        if place is not None:
            with writing(place):
                place.write_bytes(content(checked))
    if step is not None:
        with writing(step), step.open("ab") as file:
            file.write(written.summary(checked).encode())


def _lines(checked: "Checked") -> "Iterator[Line]":
    for sentence in checked.origins.sentences():
        yield from _folded("NOTE", sentence)
    for claim in checked.claims:
        yield from _claim_lines(claim)
    if not checked.claims:
        yield "", "No claims: study.toml has no [[claim]]."
    shown = [each for each in checked.rules if each.is_fatal or each.is_warning or Talk.is_verbose]
    for rule in shown:
        yield from _rule_lines(rule)
    yield from _summary(checked, hidden=len(checked.rules) - len(shown))


def _claim_lines(claim: "EvaluatedClaim") -> "Iterator[Line]":
    yield from _folded(str(claim.verdict), f"{claim.number}. {claim.text}")
    found = claim.estimate
    parts = "" if found is None or found.value is None else f"found {_number(found.value)}{_unit(found.unit)}"
    if found is not None and found.low is not None and found.high is not None:
        parts += f" (95 % interval {_number(found.low)} to {_number(found.high)})"
    if found is not None and found.runs is not None:
        parts += f", {found.runs} {'run' if found.runs == 1 else 'runs'}"
    condition = claim.condition if claim.rows in (None, 1) else f"{claim.condition}, {claim.rows} rows"
    yield from _folded("", "; ".join(filter(None, (condition, parts, claim.reason, claim.built_in.words))))


def _rule_lines(rule: "Broken") -> "Iterator[Line]":
    verdict = str(rule.to_dict()["verdict"])
    for i, doubt in enumerate(rule.doubts[:SHOWN_DOUBTS]):
        line = "" if doubt.line_no is None else f":{doubt.line_no}"
        place = "" if doubt.path is None else f" ({doubt.path}{line})"
        yield from _folded("" if i else verdict, f"{'' if i else f'{rule.rule}: '}{doubt.text}{place}")
    if len(rule.doubts) > SHOWN_DOUBTS:
        yield "", f"... and {len(rule.doubts) - SHOWN_DOUBTS} more of {rule.rule} (--json has all)"


def _summary(checked: "Checked", *, hidden: int) -> "Iterator[Line]":
    counts = checked.to_dict()["counts"]
    parts = [f"{count} {verdict}" for verdict, count in counts.items() if count] if isinstance(counts, dict) else []
    warnings = sum(len(each.doubts) for each in checked.rules if each.is_warning)
    parts += [f"{warnings} WARN"] if warnings else []
    parts += (
        [f"{hidden} {'rule' if hidden == 1 else 'rules'} with notes only (`haledger -v check` shows them)"]
        if hidden
        else []
    )
    yield "", ""
    yield from _folded("", ", ".join(parts) or "no doubts about the data")


def _folded(verdict: str, text: str) -> "Iterator[Line]":
    """Text wrapped to the page, the verdict beside its first line."""
    from textwrap import wrap

    from reports.numbers import NO_BREAK_SPACE, bound

    bounded = bound(" ".join(text.split()))
    for i, line in enumerate(wrap(bounded, page_width() - WIDTH, break_on_hyphens=False) or [""]):
        yield "" if i else verdict, line.replace(NO_BREAK_SPACE, " ")


def _number(value: float) -> str:
    return f"{value:.4g}" if abs(value) < 10_000 else f"{value:,.0f}"


def _unit(unit: str) -> str:
    return f" {unit}" if unit else ""


COMMAND = Command(check, place=90, examples=("haledger check samples/failover-2004 --fail-on excluded",))
