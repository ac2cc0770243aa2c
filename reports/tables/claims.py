"""The table of a study's claims: the sentence, what had to hold, what was found, and the verdict."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from pipeline.ask.check.verdict import Estimate, EvaluatedClaim, Verdict
from pipeline.ask.trace.source import Origin, Source
from reports import numbers
from reports.data_origin import BELOW, MARKS, mark_beside, sentence_end
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.marks import interval_bar, verdict_mark
from reports.tables.model import Cell, Column, Table, figures, rows_of, text, words
from reports.words import quoted_label

NAME = "claims"
INSIDE_A_CONDITION = re.compile(" (?=%)|(?<=[<>=\u2264\u2265\u2260\u00b1]) |(?<=[0-9]) (?=[^\\W0-9]|1/)")
BEFORE_A_MARGIN = re.compile(" (?=\u00b1)")
LONGEST_WITH_MARGIN = 20
"""Where no line ends: after a sign, before a unit; nor before a margin, unless a line cannot hold both."""

NEGATIVE = re.compile("(?<![\\w.])-(?=[0-9])")

MEANS = {
    "milestone": ("milestone_stats", "milestone", "mean_s"),
    "phase": ("phase_stats", "phase", "mean_duration_s"),
    "measurement": ("measurement_stats", "metric", "mean"),
}
"""What a claim in its short form is about: the relation, its column with the name, and its mean."""

CLAIMS_NOTE = (
    "PASS: the whole 95 % interval fulfils the condition. FAIL: none of it does. CANNOT TELL: it lies on both sides, "
    "or there are too few runs for one. Runs: those of the side that has fewer. A claim without runs is an SQL "
    "statement of the study (in statements.sql); of several values it shows the one nearest to failing. Bars: the "
    "interval, with the value found as a dot; shaded is what the condition asks for."
)

REPRODUCED = {Verdict.PASS: "reproduced", Verdict.FAIL: "not reproduced", Verdict.CANNOT_TELL: "cannot tell"}
REPLICATION_NOTE = (
    "Reproduced: the 95 % interval of this study reaches the published number, as far as its last digit tells; without "
    "an interval, the value rounds to it. A wide interval reproduces much: read it beside. How far the published "
    "number itself may be off is not known."
)


@table(section="claims", after="fault-time-accuracy", is_marked=False)
def claims(study: StudyView) -> list[Table]:
    """What the study claims, and whether it holds."""
    found = study.claims
    if not found:
        return []
    columns = (
        Column("Claim", ("claim", "text"), is_number=False),
        words("Condition", "condition"),
        figures("Runs", "runs"),
        figures("Found", "value", "unit"),
        figures("95 % interval", "ci95_low", "ci95_high"),
        Column("Verdict", ("verdict", "reason"), is_number=False),
    )
    source = "Source: the claims of study.toml, as haledger check evaluates them."
    notes = (CLAIMS_NOTE, *_built_in_notes(found))
    caption = "What the study claims, and whether its data support it"
    return [Table(NAME, caption, columns, rows_of([_row(study, each) for each in found]), notes, source)]


@table(section="claims", after="claims", is_marked=False)
def replication(study: StudyView) -> list[Table]:
    """Numbers that a paper printed, and whether this study reproduces them."""
    found = [each for each in study.all_claims if each.published is not None]
    columns = (
        words("Paper", "paper"),
        words("Number", "item"),
        words("Configuration", "configuration"),
        figures("Published", "published"),
        figures("Runs", "runs"),
        figures("Found", "value", "unit"),
        figures("95 % interval", "ci95_low", "ci95_high"),
        Column("Verdict", ("verdict", "reason"), is_number=False),
    )
    source = "Source: [[claim]] of study.toml with the key published."
    counts = Counter(each.verdict for each in found)
    caption = f"Published numbers against this study: {counts[Verdict.PASS]} of {len(found)} reproduced"
    notes = (REPLICATION_NOTE, *_built_in_notes(found))
    rows = rows_of([_replication_row(study, each) for each in found])
    return [Table("", caption, columns, rows, notes, source, row_heads=3)] if found else []


def _replication_row(study: StudyView, claim: EvaluatedClaim) -> list[Cell]:
    about = claim.about
    if about is None:
        raise AssertionError("a published number is one of a milestone, phase or measurement")
    _, _, *found, verdict = _row(study, claim)
    statistic = about.asks.partition(" \u2248 ")[0]
    return [
        text(claim.paper),
        text(f"{study.item_label(about.kind, about.item)}{'' if statistic == 'mean' else f', {statistic}'}"),
        text(study.label(about.configuration or "")),
        Cell(numbers.rewritten(claim.published or ""), (float(claim.published or "nan"),)),
        *found,
        replace(verdict, text=verdict.text.replace(str(claim.verdict), REPRODUCED[claim.verdict], 1)),
    ]


def summary(table: Table, built_in: int = 0) -> str:
    """How many claims hold, in a sentence. `built_in`: how many are about data that a program made."""
    counts = Counter(row[-1].values[0] for row in table.rows)
    total, passed = len(table.rows), counts[str(Verdict.PASS)]
    failed, undecided = counts[str(Verdict.FAIL)], counts[str(Verdict.CANNOT_TELL)]
    if total == 1:
        holds = "holds" if passed else "does not hold" if failed else "cannot be decided from these runs"
        parts = [f"The claim of the study {holds}"]
    else:
        parts = [f"{passed} of {total} claims of the study {'holds' if passed == 1 else 'hold'}"]
        parts += [f"{failed} {'does' if failed == 1 else 'do'} not"] if failed else []
        parts += [f"{undecided} cannot be decided from these runs"] if undecided else []
    if not built_in:
        return f"{', '.join(parts)}."
    share = (
        ("it" if total == 1 else "both" if total == 2 else f"all {total}")
        if built_in == total
        else f"{built_in} of them"
    )
    is_one = built_in == 1
    return f"{', '.join(parts)}; {share} {'concerns' if is_one else 'concern'} simulated data."


def built_in_count(study: StudyView) -> int:
    """How many claims are about data that a program made."""
    return sum(each.built_in.is_built_in for each in study.claims)


def _built_in_notes(found: Sequence[EvaluatedClaim]) -> list[str]:
    """What the signs beside verdicts mean."""
    used = {mark_beside(each.built_in) for each in found}
    return [f"{mark} {BELOW[origin]}." for origin, mark in MARKS.items() if mark in used]


def _row(study: StudyView, claim: EvaluatedClaim) -> list[Cell]:
    found = claim.estimate or Estimate(None)
    decimals = printed_decimals(claim, found)
    shown = f"{numbers.fixed(found.value, decimals)} {found.unit}".rstrip()
    verdict = f"{claim.verdict}: {claim.reason}" if claim.reason else str(claim.verdict)
    mark = mark_beside(claim.built_in)
    remark = f" Built in: {sentence_end(claim.built_in.note)}" if claim.built_in.note else ""
    asked = _unbroken(
        NEGATIVE.sub(numbers.MINUS, numbers.rewritten(claim.about.asks if claim.about else claim.condition))
    )
    origins = _origins(claim)
    bar = interval_bar(found, claim.asked)
    return [
        Cell(
            numbers.with_units(f"{claim.number}. {claim.text}{'.' if remark else ''}{remark}"),
            (claim.number, claim.text),
        ),
        Cell(numbers.bound(asked), (_condition(study, claim),)),
        Cell(numbers.count(found.runs), (found.runs,), origins),
        Cell(numbers.bound(shown), (found.value, found.unit), origins),
        Cell(
            _with_mark(numbers.interval(found.low, found.high, decimals).replace(" ", numbers.NO_BREAK_SPACE), mark),
            (found.low, found.high),
            _origins(claim, "low", "high"),
            bar,
        ),
        Cell(_with_mark(verdict, mark), (str(claim.verdict), claim.reason), picture=verdict_mark(claim.verdict)),
    ]


def _unbroken(asked: str) -> str:
    """A condition in which lines end where it is read well."""
    bound = INSIDE_A_CONDITION.sub(numbers.NO_BREAK_SPACE, asked)
    joined = BEFORE_A_MARGIN.sub(numbers.NO_BREAK_SPACE, bound)
    return joined if max(map(len, joined.split(" "))) <= LONGEST_WITH_MARGIN else bound


def _origins(claim: EvaluatedClaim, *names: str) -> tuple[Origin | Source, ...]:
    """The means that a claim is about, of both sides where it compares two; else columns of its own statement."""
    about = claim.about
    if about is None:
        return (Origin(claim.sql.strip().rstrip(";"), None, names or ("value",)),) if claim.sql else ()
    if about.kind not in MEANS or about.configuration is None:
        return ()
    relation, item, column = MEANS[about.kind]
    return tuple(
        Source(relation, ("configuration", item), ((each, about.item),), (column,), is_computed=True)
        for each in dict.fromkeys((about.configuration, about.reference))
        if each is not None
    )


def _with_mark(text: str, mark: str) -> str:
    return text if text == numbers.DASH else f"{text}{mark}"


def _condition(study: StudyView, claim: EvaluatedClaim) -> str:
    """What had to hold and of what, in the words of the tables."""
    about = claim.about
    if about is None:
        return NEGATIVE.sub(numbers.MINUS, claim.condition)
    item = study.item_label(about.kind, about.item)
    place = f" of {quoted_label(study.label(about.configuration))}" if about.configuration else ""
    against = f" against {quoted_label(study.label(about.reference))}" if about.reference else ""
    return f"{item}{place}{against}: {NEGATIVE.sub(numbers.MINUS, about.asks)}"


def printed_decimals(claim: EvaluatedClaim, found: Estimate) -> int:
    """Decimals of a value and its interval: none of a count, one of seconds from logs, else those of its size.

    Of seconds more, as few as show each end of the interval on its side of what was asked for.
    """
    shown = [each for each in (found.value, found.low, found.high) if each is not None]
    usual = numbers.common_decimals(shown)
    if found.is_exact and all(each == round(each) for each in shown):
        return 0
    if found.unit != "s" or claim.about is None or claim.about.kind not in {"milestone", "phase"}:
        return usual
    least = min((abs(claim.asked.leeway(each)) for each in shown if claim.asked), default=1.0)
    return next((few for few in range(1, usual) if least >= 0.5 * 10.0**-few), usual)
