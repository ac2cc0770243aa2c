"""What kind of fault a run had: as study.toml says, else as the logs show it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Annotated, Any, NamedTuple

from pipeline.failover.evidence import HaLine
from pipeline.failover.fault.leader_signs import LostLeader
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.recorded_runs import Recorded, RecordedRun
from pipeline.failover.rules import rules
from pipeline.failover.step import CONFIGURATION, grouped, step
from pipeline.failover.timeline import Timeline
from pipeline.failover.windows import KIND_SHOWN, LOGGED_LATE, SAME_SECOND

PLANNED, CUT, KILLED, LOST = "planned switch", "network cut", "service killed", "node lost"


class FaultKind(NamedTuple):
    """One row per run whose kind of fault is known: as study.toml says, else as the logs show it."""

    configuration: str
    run: str
    fault_kind: Annotated[
        str,
        "kind of fault: as study.toml says, else planned switch, network cut, service killed (its node goes on), "
        "node lost (power, reset, crash)",
    ]
    is_declared: Annotated[bool, "study.toml says it"]


@dataclass(frozen=True)
class Signs:
    """What the logs of an incident say of its kind. `own`: lines of the lost node until it is back."""

    incident: Incident
    is_leader: bool
    own: Sequence[HaLine]

    def says(self, rule: str, *, of_others: bool = False) -> bool:
        """Whether the lost node says one of these kinds, of itself or of other nodes."""
        keys = {None, "", self.incident.lost_key}
        kinds = rules("fault_kinds")[rule]["kinds"]
        return any(each.kind in kinds and (each.peer_key not in keys) == of_others for each in self.own)

    @property
    def goes_on(self) -> bool:
        """Whether the lost node still writes when the others miss it."""
        return any(each.at > self.incident.membership_at + SAME_SECOND for each in self.own)


class Sign(NamedTuple):
    """A kind of fault, and when the logs show it."""

    kind: str
    holds: Callable[[Signs], object]


SIGNS = (
    Sign(PLANNED, lambda of: of.incident.is_planned),
    Sign(CUT, lambda of: of.incident.partition_outcome),
    Sign(CUT, lambda of: of.says("others_missed", of_others=True)),
    Sign(KILLED, lambda of: of.says("own_service_gone")),
    Sign(CUT, lambda of: of.says("own_link_gone")),
    # both sides go on, and the service is not gone
    Sign(CUT, lambda of: of.is_leader and of.goes_on),
    # a membership without the node says so; a leader that falls silent may be dead alone
    Sign(LOST, lambda of: not of.is_leader and not of.incident.is_hadr and of.incident.event_no is not None),
)
"""The first that holds counts; a run without one is of no known kind."""


@step(by=CONFIGURATION, of="incident")
def fault_kind(
    incident: Sequence[Incident],
    lost_leader: Sequence[LostLeader],
    ha_line: Sequence[HaLine],
    study__run: Sequence[RecordedRun],
) -> Iterator[FaultKind]:
    """The kind of each incident; where study.toml has a word for what the logs show, that word."""
    recorded = Recorded(study__run)
    declared = {each.run: recorded.fault(each.run) for each in incident}
    words: dict[str, set[str]] = {}
    for word in filter(None, declared.values()):
        words.setdefault(_kind_of(word) or word, set()).add(word)
    leaders = {each.run for each in lost_leader}
    lines: Mapping[Any, Sequence[HaLine]] = grouped(ha_line, "unit_run", "node_key")
    for each in incident:
        own = Timeline(lines.get((each.unit_run, each.lost_key), []))
        last_at = min(each.membership_at + KIND_SHOWN, each.end_at - SAME_SECOND)
        until_back = takewhile(_is_before_return(each), own.between(each.loss_at - LOGGED_LATE, last_at))
        signs = Signs(each, each.run in leaders, [*until_back])
        shown = next((sign.kind for sign in SIGNS if sign.holds(signs)), None)
        kind = declared[each.run] or (shown and _only(words.get(shown, ()), shown))
        if kind is not None:
            yield FaultKind(each.configuration, each.run, kind, is_declared=declared[each.run] is not None)


def _is_before_return(incident: Incident) -> Callable[[HaLine], bool]:
    """Whether a line of the lost node precedes its return: its start, or that it knows who took over."""
    starts, leads = (rules("fault_kinds")[each]["kinds"] for each in ("starts_again", "knows_successor"))

    def is_before_return(line: HaLine) -> bool:
        knows_successor = line.kind in leads and line.peer_key is not None and line.peer_key == incident.surviving_key
        return line.kind not in starts and not knows_successor

    return is_before_return


def _kind_of(word: str) -> str | None:
    """The kind of fault that a person means."""
    known = rules("fault_kinds")["kind"]
    return next((each["name"] for each in known if any(sign in word.lower() for sign in each["words"])), None)


def _only(words: Iterable[str], kind: str) -> str:
    """The word of study.toml for a kind; the kind itself where it has none or several."""
    found = sorted(words)
    return found[0] if len(found) == 1 else kind
