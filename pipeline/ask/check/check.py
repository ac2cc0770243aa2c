"""A study checked against its own claims and the rules on data quality."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.ask.check.quality import Broken, broken_rules, gravest_first, refuse_unknown
from pipeline.ask.check.verdict import EvaluatedClaim, Verdict
from pipeline.discovery.address import Address
from pipeline.ingest.current_store import current_store
from pipeline.progress import Progress
from pipeline.store.notes import valid_notes
from pipeline.study.data_origin import DataOrigins, data_origins
from pipeline.values import from_text

Answer = tuple[tuple[EvaluatedClaim, ...], tuple[Broken, ...], DataOrigins]
"""What a store says: claims, rules that found something, and how its data came about."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found. `is_strict`: a claim of which nothing can be determined counts as one that fails.

    `origins`: how the data came about, as study.toml says.
    """

    study: str
    claims: tuple[EvaluatedClaim, ...]
    rules: tuple[Broken, ...]
    is_strict: bool
    origins: DataOrigins

    @property
    def failures(self) -> list[str]:
        """What makes the check fail, in words; empty where it holds."""
        counts = Counter(each.verdict for each in self.claims)
        fatal = [each.rule for each in self.rules if each.is_fatal]
        failed, undecided = counts[Verdict.FAIL], counts[Verdict.CANNOT_TELL]
        reasons = [f"{_claims(failed)} not hold"] if failed else []
        if self.is_strict and undecided:
            reasons.append(f"{undecided} {'claim' if undecided == 1 else 'claims'} cannot be decided (--strict)")
        return reasons + [f"{rule} was found (--fail-on)" for rule in fatal]

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        counts = Counter(str(each.verdict) for each in self.claims)
        return {
            "study": self.study,
            "origin": self.origins.study.origin,
            "origin_note": self.origins.study.note,
            "built_in": self.origins.sentences(),
            "holds": not self.failures,
            "failures": self.failures,
            "counts": {str(verdict): counts[verdict] for verdict in Verdict},
            "claims": [each.to_dict() for each in self.claims],
            "rules": [each.to_dict() for each in self.rules],
        }


def check(  # noqa: PLR0913  each is a choice of its own
    study: Path | Address,
    *,
    fail_on: Sequence[str] = (),
    is_strict: bool = False,
    reference: str = "",
    near: Sequence[Path] = (),
    progress: Progress | None = None,
) -> Checked:
    """Evaluate the claims of a study and the rules. `near`: folders whose store of it answers if nothing changed."""
    refuse_unknown(fail_on)
    with current_store(study, near=near, reference=reference, progress=progress) as current:
        current.require_recognised(study)
        claims, rules, origins = _answer(current.db)
        return Checked(str(study), claims, tuple(gravest_first(rules, fail_on)), is_strict, origins)


def _answer(store: Path) -> Answer:
    """What a report noted of its store; else the store is asked."""
    if noted := valid_notes(store).get("check"):
        found: Answer = from_text(noted)
        return found
    from pipeline.ask.check.claims import evaluate_claims  # loads what compares
    from pipeline.query import sandbox
    from pipeline.query.bounded import STUDY_LIMITS

    with sandbox.connect(store, STUDY_LIMITS) as con:
        return tuple(evaluate_claims(con)), tuple(broken_rules(con)), data_origins(con)


def _claims(count: int) -> str:
    return f"{count} {'claim does' if count == 1 else 'claims do'}"
