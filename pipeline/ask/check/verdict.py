"""Whether a claim holds: an estimate with its 95 % interval against a number."""

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from pipeline.study.data_origin import NOT_BUILT, BuiltIn

Comparison = Callable[[float, float], bool]

ORDERS: Mapping[str, Comparison] = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


class Verdict(StrEnum):
    """What can be said of a claim."""

    PASS = "PASS"  # noqa: S105  a verdict, not a password
    FAIL = "FAIL"
    CANNOT_TELL = "CANNOT TELL"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval. `is_exact`: a fact about what was seen, such as a count, which has no interval.

    `value` None: nothing was seen. `unit` is empty for a pure number. `lack` says why there is no value or interval.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    unit: str = ""
    runs: int | None = None
    is_exact: bool = False
    lack: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    """What an estimate has to fulfil. `margin`: how far from `value` still counts as equal, in its unit."""

    op: str
    value: float
    margin: float | None = None

    @property
    def is_equality(self) -> bool:
        """Whether it asks for a value, not for a side of it."""
        return self.op not in ORDERS

    def leeway(self, value: float) -> float:
        """How far a value may go before the verdict on it turns; less than zero where it has turned already."""
        if self.is_equality:
            inside = (self.margin or 0.0) - abs(value - self.value)
            return -inside if self.op == "!=" else inside
        return value - self.value if self.op.startswith(">") else self.value - value


@dataclass(frozen=True, slots=True)
class About:
    """What a claim in its short form is about, by the names of the store; `asks`: such as `reduction \u2265 30 %`."""

    kind: str
    item: str
    configuration: str | None
    reference: str | None
    asks: str


@dataclass(frozen=True, slots=True)
class EvaluatedClaim:
    """A claim and what became of it. `condition`: what had to hold; `estimate` None: truth values only.

    `about` None: the claim has a statement of its own, which is `sql`. `built_in`: whether it is about data that were
    made so that it holds. `published`: the number that a paper printed, as it did; `paper`: where.
    """

    number: int
    text: str
    condition: str
    verdict: Verdict
    reason: str
    estimate: Estimate | None = None
    rows: int | None = None
    sql: str | None = None
    about: About | None = None
    built_in: BuiltIn = NOT_BUILT
    asked: Condition | None = None
    paper: str | None = None
    published: str | None = None

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        estimate = self.estimate or Estimate(None)
        return {
            "claim": self.number,
            "text": self.text,
            "condition": self.condition,
            "verdict": str(self.verdict),
            "reason": self.reason,
            "value": estimate.value,
            "ci95_low": estimate.low,
            "ci95_high": estimate.high,
            "unit": estimate.unit,
            "runs": estimate.runs,
            "rows": self.rows,
            "origin": self.built_in.origin,
            "built_in": self.built_in.is_built_in,
            "built_in_note": self.built_in.note,
            "paper": self.paper,
            "published": self.published,
        }


def evaluate(estimate: Estimate, condition: Condition) -> tuple[Verdict, str]:
    """The verdict and, where it needs one, its reason.

    PASS: every value of the interval fulfils the condition. FAIL: none does. Else it cannot be determined.
    """
    from pipeline.study.manifest_entries import AGREES  # loads pydantic

    if estimate.value is None:
        return Verdict.CANNOT_TELL, estimate.lack or "no value"
    if estimate.is_exact or condition.op == AGREES:
        low = estimate.value if estimate.low is None else estimate.low
        high = estimate.value if estimate.high is None else estimate.high
    elif estimate.low is None or estimate.high is None:
        return Verdict.CANNOT_TELL, estimate.lack or "no interval"
    else:
        low, high = estimate.low, estimate.high
    if condition.op == AGREES:
        return _agreement(low, high, estimate, condition)
    if condition.is_equality:
        return _equality(low, high, condition)
    fulfils = ORDERS[condition.op]
    at_both_ends = {fulfils(end, condition.value) for end in (low, high)}
    if len(at_both_ends) > 1:
        return Verdict.CANNOT_TELL, "the interval lies on both sides"
    return (Verdict.PASS if at_both_ends == {True} else Verdict.FAIL), ""


def _equality(low: float, high: float, condition: Condition) -> tuple[Verdict, str]:
    """Equal where the whole interval lies within the margin; unequal where none of it does."""
    margin = condition.margin or 0.0
    within = condition.value - margin, condition.value + margin
    is_inside = _at_least(low, within[0]) and _at_least(within[1], high)
    is_outside = not (_at_least(within[1], low) and _at_least(high, within[0]))
    holds, fails = (Verdict.FAIL, Verdict.PASS) if condition.op == "!=" else (Verdict.PASS, Verdict.FAIL)
    if is_inside:
        return holds, ""
    if is_outside:
        return fails, ""
    if condition.margin is None:
        return Verdict.CANNOT_TELL, "no margin says how near is equal: give `margin` or `margin_pct`"
    return Verdict.CANNOT_TELL, "the interval reaches beyond the margin"


def _agreement(low: float, high: float, estimate: Estimate, condition: Condition) -> tuple[Verdict, str]:
    """Equal where the interval reaches into the margin, or a value without one lies in it."""
    margin = condition.margin or 0.0
    if _at_least(condition.value + margin, low) and _at_least(high, condition.value - margin):
        return Verdict.PASS, ""
    is_known = estimate.is_exact or low < high
    return (Verdict.FAIL, "") if is_known else (Verdict.CANNOT_TELL, estimate.lack)


def _at_least(one: float, other: float) -> bool:
    """Whether one number is at least the other, but for what arithmetic rounds off."""
    return one >= other or math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)
