"""What is known of a run with an incident, as far as it decides what became of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from pipeline.failover.incident.incidents import Incident
from pipeline.failover.milestone.client_clocks import ClientOutage
from pipeline.failover.outcome.outcome_lines import OutcomeLine
from pipeline.failover.outcome.progress import RunProgress
from pipeline.failover.service.service_holders import ServiceHolder
from pipeline.failover.windows import FAILS_AGAIN, LAST_WORDS, LONG_WAIT, LONGER_THAN_NEEDED


@dataclass(frozen=True)
class Facts:
    """What is known of a run with an incident, as far as verdicts ask for it.

    `lines`: what says what became of it, by time. `holders`: nodes that had a service as the node was lost.
    `in_vain`: the last outage of clients that never were answered again. `logs_end_at`: of an incident in which no node
    took over. `has_successor`: the surviving node was lost, and another one took over. `others_moved`: another loss of
    the configuration moved a service. `is_unreplaced`: servers raced for the place of a lost leader, and none won.
    `is_alone`: of servers that elect a leader or need a quorum no other one has a log; each tells of itself.
    """

    incident: Incident
    progress: RunProgress
    lines: Sequence[OutcomeLine]
    holders: Sequence[ServiceHolder]
    in_vain: ClientOutage | None
    logs_end_at: datetime | None
    has_successor: bool
    others_moved: bool
    is_unreplaced: bool
    is_alone: bool

    def first(self, *says: str, after: datetime | None = None, until: datetime | None = None) -> OutcomeLine | None:
        """The first line that says one of these, in a stretch of time: after `after`, up to `until`."""
        return next(
            (
                each
                for each in self.lines
                if each.says in says and (after is None or each.at > after) and (until is None or each.at <= until)
            ),
            None,
        )

    @property
    def recovered_at(self) -> datetime | None:
        """When the last step that means service was done in the time in which steps are looked for."""
        return self.progress.recovered_at

    @cached_property
    def later(self) -> OutcomeLine | None:
        """A step of service that came when steps were followed no longer."""
        return self.first("later")

    @cached_property
    def back_at(self) -> datetime | None:
        """When the service was back, however late: what a person brings back may come after hours."""
        late = (each.at for each in self.lines if each.says == "back")
        return self.recovered_at or max(late, default=None)

    @cached_property
    def by_hand(self) -> OutcomeLine | None:
        """A person's first step, before the service was back."""
        return None if self.back_at is None else self.first("by_hand", until=self.back_at)

    @cached_property
    def failure(self) -> OutcomeLine | None:
        """The first failure of a run that did not recover."""
        return self.first("left") if self.recovered_at else self.first("left", "stop", "fault", "start", "lost")

    @cached_property
    def stopped(self) -> OutcomeLine | None:
        """What stopped the node before the service was back."""
        return None if self.recovered_at is None else self.first("stop", "start", "lost", until=self.recovered_at)

    @cached_property
    def down(self) -> OutcomeLine | None:
        """The service goes down soon after it came back, and nobody had touched it."""
        first, by = self.progress.first_service_at, self.progress.first_service_by
        if self.recovered_at is None or first is None or by is None:
            return None
        # the database needs a recovery before its first step of service: that one is no further failure
        later = self.recovered_at + FAILS_AGAIN
        found = (each for each in self.lines if each.says in {"down", "fault"} and first < each.at <= later)
        return self._untouched(next((each for each in found if each.at >= by), None))

    @cached_property
    def lost(self) -> OutcomeLine | None:
        """The node is lost soon after the service came back, and no failover of its own follows."""
        if self.recovered_at is None or self.has_successor:
            return None
        later = self.recovered_at + FAILS_AGAIN
        return self._untouched(self.first("start", "lost", after=self.recovered_at, until=later))

    def _untouched(self, line: OutcomeLine | None) -> OutcomeLine | None:
        """A line, unless somebody stepped in before it."""
        if line is None:
            return None
        touched = self.first("stop", "by_hand", after=self.recovered_at)
        return line if touched is None or touched.at > line.at else None

    @property
    def is_unmoved(self) -> bool:
        """No service moved, and study.toml knows nothing of the fault."""
        return not self.incident.has_moved and self.incident.manifest_fault_at is None

    @property
    def is_idle(self) -> bool:
        """The lost node had no service to move: another one had it, or nothing ever moves here."""
        is_of_lost = any(each.is_lost for each in self.holders)
        is_elsewhere = any(not each.is_lost for each in self.holders)
        return self.is_unmoved and not is_of_lost and (is_elsewhere or not self.others_moved)

    @property
    def ends_at(self) -> datetime | None:
        """When the logs end that could show more."""
        return _latest(self.progress.deciding_end_at, self.progress.end_at)

    @property
    def goes_on_after_loss(self) -> bool:
        """Whether logs go on so long after the loss that a take-over would have begun."""
        ends_at, needed_s = _latest(self.ends_at, self.logs_end_at), self.progress.needed_s
        wait = LONG_WAIT if needed_s is None else min(LONG_WAIT, timedelta(seconds=LONGER_THAN_NEEDED * needed_s))
        # an election takes no minutes
        wait = min(wait, LAST_WORDS) if self.is_unreplaced else wait
        return ends_at is not None and ends_at >= self.incident.membership_at + wait

    @property
    def last_sign_at(self) -> datetime | None:
        """When the logs last say something of the failover."""
        return _latest(self.progress.progress_at, self.progress.last_step_at)

    @property
    def follow_s(self) -> float:
        """How long steps are followed, if nothing else happens."""
        return (self.incident.end_at - self.incident.loss_at).total_seconds()

    @property
    def is_to_limit(self) -> bool:
        """Whether the logs go on for as long as steps are followed."""
        return self.incident.is_to_limit and self.ends_at is not None and self.ends_at >= self.incident.end_at

    def is_long(self, until: datetime | None, since: datetime | None, times: float) -> bool:
        """Whether a silence is long beside what other recoveries of the configuration need; none tell without one."""
        needed = self.progress.needed_s
        if until is None or since is None or needed is None:
            return False
        return until - since >= max(LONG_WAIT, timedelta(microseconds=round(1e6 * (times * needed))))


def _latest(*instants: datetime | None) -> datetime | None:
    return max((each for each in instants if each is not None), default=None)
