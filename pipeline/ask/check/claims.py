"""The claims of a study: each sentence with its condition, what the data say of it, and whether it holds.

One function for `haledger check` and for the report. A claim in the short form is evaluated by the 95 % interval of its
statistic. The statement of a claim runs in the sandbox; without `op` it gives truth values, of which all must be true;
with `op` it gives a column `value`, and may give `low` and `high`, the ends of an interval.
"""

import math
from dataclasses import replace
from functools import partial

import duckdb
import polars as pl

from pipeline.ask.check.estimates import EstimateRequest, Found, find_estimates
from pipeline.ask.check.verdict import About, Condition, Estimate, EvaluatedClaim, Verdict, evaluate
from pipeline.errors import UsageError
from pipeline.query.bounded import StudyStatements
from pipeline.store.statements import rows
from pipeline.study.data_origin import DataOrigins, data_origins
from pipeline.study.manifest_entries import AGREES, PAIR_STATISTICS, Claim

GRAVITY = (Verdict.FAIL, Verdict.CANNOT_TELL, Verdict.PASS)
"""The verdict of several rows is the first of these that one of them has."""

STATISTIC_WORDS = {
    "mean": "mean",
    "median": "median",
    "min": "least value",
    "max": "greatest value",
    "stddev": "standard deviation",
    "cv_pct": "standard deviation in % of the mean",
    "runs": "runs",
    "difference": "difference",
    "ratio": "ratio",
    "reduction_pct": "reduction",
    "improvement_pct": "increase",
    "share": "share of the runs",
}
SIGNS = {"<=": "\u2264", ">=": "\u2265", "==": "=", "!=": "\u2260", AGREES: "\u2248"}


def evaluate_claims(con: duckdb.DuckDBPyConnection, statements: StudyStatements | None = None) -> list[EvaluatedClaim]:
    """Every claim of a study, evaluated, in its order. `con`: a store opened by `sandbox.connect`.

    `statements`: what runs the claims' own.

    A claim about names that the study does not know, or whose statement cannot be run, is a UsageError.
    """
    declared = rows(con, "select * from study.claim order by position")
    statements = statements or StudyStatements(con)
    margins = con.execute("select margin_pct from study.setting").fetchall()
    margin_pct = margins[0][0] if margins else None
    claims = [Claim.model_construct(**row) for row in declared]
    origins = data_origins(con)
    requests = [_request(claim, _owner(row["position"], claim)) for row, claim in zip(declared, claims, strict=True)]
    found = iter(find_estimates(con, [each for each in requests if each is not None]))
    return [
        _with_origin(
            _evaluated_rows(statements, row["position"], claim, _condition(claim, margin_pct))
            if request is None
            else _evaluated_estimate(row["position"], claim, request, next(found), _condition(claim, margin_pct)),
            claim,
            origins,
        )
        for row, claim, request in zip(declared, claims, requests, strict=True)
    ]


def _with_origin(evaluated: EvaluatedClaim, claim: Claim, origins: DataOrigins) -> EvaluatedClaim:
    about = evaluated.about
    named = [about.configuration, about.reference] if about else origins.named_in(claim.sql)
    built_in = origins.built_in(claim.built_in, named)
    published = None if claim.published is None else str(claim.published)
    return replace(evaluated, built_in=built_in, paper=claim.paper, published=published)


def _owner(number: int, claim: Claim) -> str:
    return f"study.toml, claim {number} ({claim.text})" if claim.text else f"study.toml, claim {number}"


def _evaluated_estimate(
    number: int, claim: Claim, request: EstimateRequest, found: Found, condition: Condition | None
) -> EvaluatedClaim:
    if condition is None:
        raise AssertionError("a claim in the short form has a condition")
    verdict, reason = evaluate(found.estimate, condition)
    reference = found.reference if claim.statistic in PAIR_STATISTICS else None
    asks = f"{STATISTIC_WORDS[claim.statistic]} {_condition_words(condition, found.estimate.unit)}"
    about = About(request.kind, request.item, found.configuration, reference, asks)
    shown = _words(about)
    return EvaluatedClaim(
        number, claim.text or shown, shown, verdict, reason, found.estimate, about=about, asked=condition
    )


def _request(claim: Claim, owner: str) -> EstimateRequest | None:
    """What a claim in the short form asks for; None for one with a statement of its own."""
    if claim.sql is not None or claim.op is None or claim.value is None:
        return None
    kinds = {
        "milestone": claim.milestone,
        "phase": claim.phase,
        "measurement": claim.measurement,
        "outcome": claim.outcome,
    }
    kind, item = next((kind, item) for kind, item in kinds.items() if item is not None)
    return EstimateRequest(
        owner, kind, item, claim.statistic, claim.configuration, claim.reference, claim.label, claim.clients
    )


def _condition(claim: Claim, margin_pct: float | None) -> Condition | None:
    """What the claim asks for; where it asks for a value, the margin is its own, else the study's."""
    if claim.op is None or claim.value is None:
        return None
    condition = Condition(claim.op, claim.value)
    if not condition.is_equality:
        return condition
    if claim.margin is not None:
        return Condition(claim.op, claim.value, claim.margin)
    share = claim.margin_pct or margin_pct
    return condition if share is None else Condition(claim.op, claim.value, abs(claim.value) * share / 100)


def _words(about: About) -> str:
    """Such as `complete of tuned against default: reduction \u2265 30 %`."""
    place = f" of {about.configuration}" if about.configuration else ""
    against = f" against {about.reference}" if about.reference else ""
    return f"{about.item}{place}{against}: {about.asks}"


def _condition_words(condition: Condition, unit: str) -> str:
    within = f" \u00b1 {condition.margin:,.12g}" if condition.margin is not None else ""
    after = f" {unit}" if unit else ""
    return f"{SIGNS.get(condition.op, condition.op)} {condition.value:,.12g}{within}{after}"


# --- claims with a statement of their own ----------------------------------------------------------------------------


def _evaluated_rows(
    statements: StudyStatements, number: int, claim: Claim, condition: Condition | None
) -> EvaluatedClaim:
    owner = _owner(number, claim)
    frame = statements.run(claim.sql or "", owner)
    if condition is None:
        shown = "true" if frame.height == 1 else f"true in each of {frame.height:,} rows"
        outcomes = _truths(frame, owner)
    else:
        each_value = "value" if frame.height == 1 else f"each of {frame.height:,} values"
        shown = f"{each_value} {_condition_words(condition, claim.unit or '')}"
        outcomes = [(*evaluate(each, condition), each) for each in _values(frame, owner, claim.unit or "")]
    text = claim.text or shown
    if not outcomes:
        reason = "the statement gives no row"
        return EvaluatedClaim(number, text, shown, Verdict.CANNOT_TELL, reason, None, 0, claim.sql)
    verdict, reason, estimate = min(outcomes, key=partial(_gravest_first, condition))
    alike = sum(each[0] is verdict for each in outcomes)
    if verdict is not Verdict.PASS and len(outcomes) > 1:
        reason = "; ".join(filter(None, (f"{alike} of {len(outcomes)} rows", reason)))
    return EvaluatedClaim(number, text, shown, verdict, reason, estimate, len(outcomes), claim.sql, asked=condition)


def _gravest_first(
    condition: Condition | None, outcome: tuple[Verdict, str, Estimate | None]
) -> tuple[int, str, float, float]:
    """By what the row says, then by how near its value is to the other side, regardless of the order of the rows."""
    verdict, reason, estimate = outcome
    value = estimate.value if estimate else None
    if value is None or math.isnan(value):
        return GRAVITY.index(verdict), reason, math.inf, math.inf
    return GRAVITY.index(verdict), reason, condition.leeway(value) if condition else 0.0, value


def _truths(frame: pl.DataFrame, owner: str) -> list[tuple[Verdict, str, Estimate | None]]:
    truths = [name for name, dtype in frame.schema.items() if dtype == pl.Boolean]
    if not truths:
        raise UsageError(
            f"{owner}: its SQL returns no truth value but {', '.join(frame.columns)}; "
            "compare in the statement, or give `op` and `value` beside it"
        )
    estimates = _values(frame, owner) if "value" in frame.columns else [None] * frame.height
    return [(*_truth(row), each) for row, each in zip(frame.select(truths).iter_rows(), estimates, strict=True)]


def _truth(values: tuple[bool | None, ...]) -> tuple[Verdict, str]:
    if False in values:
        return Verdict.FAIL, ""
    if None in values:
        return Verdict.CANNOT_TELL, "it is neither true nor false: something is missing"
    return Verdict.PASS, ""


def _values(frame: pl.DataFrame, owner: str, unit: str = "") -> list[Estimate]:
    if "value" not in frame.columns:
        raise UsageError(f"{owner}: its SQL returns no column `value` to compare but {', '.join(frame.columns)}")
    has_interval = {"low", "high"} <= set(frame.columns)
    names = ["value", "low", "high"] if has_interval else ["value"]
    for name in names:
        if not (frame.schema[name].is_numeric() or frame.schema[name] == pl.Null):
            raise UsageError(f"{owner}: column `{name}` of its SQL holds no numbers")
    rows = [[_number(value) for value in values] for values in frame.select(names).iter_rows()]
    if has_interval:
        return [Estimate(value, low, high, unit) for value, low, high in rows]
    return [Estimate(value, unit=unit, is_exact=True) for (value,) in rows]


def _number(value: object) -> float | None:
    number = None if value is None else float(str(value))
    return number if number is not None and math.isfinite(number) else None
