"""Timers of node loss: as files specify them, as lines show them, and how long they may be at all."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple, TypeVar

from pipeline.failover.evidence import HaLine, RunUnit
from pipeline.failover.rules import rules
from pipeline.failover.step import CONFIGURATION, Int32, grouped, nulls_last, step
from pipeline.failover.timer.timer_evidence import TimerEvidence
from pipeline.failover.timer.timer_settings import SpecifiedTimer, TimerSetting

T = TypeVar("T")

VERSION = re.compile(r"([0-9]{1,3})\.([0-9]{1,3})(?:\.([0-9]{1,3}))?", re.ASCII)


class InferredTimer(NamedTuple):
    """One row per configuration and timer of node loss that its own logs bound: what all its runs say together.
    Seconds. All runs of a configuration have the same timers, so that the intervals of their lines
    (`timer_evidence`) are intersected; where they contradict each other the interval is their hull.
    """

    configuration: str
    timer: Annotated[str, "as in `timer_evidence`"]
    low_s: Annotated[float, "the timer is no shorter; null: not bounded"]
    high_s: Annotated[float | None, "no longer; null: not bounded"]
    is_consistent: Annotated[bool, "the intervals of all lines have a common part"]
    runs: Annotated[Int32, "runs whose lines bound it on both sides"]
    unit_run: Annotated[str | None, "run of the line that bounds it best"]
    file_id: Int32
    line_no: Int32


class Timer(NamedTuple):
    """How long a timer is: from `low_s` to `high_s`, by a file, by lines (inferred), or by usage alone (assumed)."""

    low_s: float
    high_s: float
    is_assumed: bool = False
    is_inferred: bool = False

    def seconds(self, likely_s: float) -> float:
        """The middle, where anything bounds it."""
        return likely_s if self.is_assumed else (self.low_s + self.high_s) / 2

    @property
    def half_range_s(self) -> float:
        """How far the middle may be off."""
        return (self.high_s - self.low_s) / 2


class ClusterTimer(NamedTuple):
    """One row per unit (run folder, or folder group without run folders): the timers of node loss in force, seconds.
    A timer comes from llttab, gabtab, ha.cf and corosync.conf (`specified_timer`), else from what the logs of the
    configuration's own runs show (`inferred_timer`), else it is anywhere in the range that clusters are run with
    (peerinact 2 to 32 s, peertrouble 1 to 4 s, stable timeout 1 to 10 s, deadtime 5 to 60 s, token 1 to 10 s):
    the products' defaults are only the likeliest values. Corosync's default consensus is 1.2 times the token;
    with more than two nodes listed each further one adds token_coefficient to the token (since 2.3.4). A
    corosync.conf without a token means the default of the version that the logs print: 1 s, since 3.1.0 3 s
    (totemconfig.c). While a cluster is idle its first node holds the token for hold_s (totem_config.c: 0.8 times
    token_retransmit, less 10 ms).
    """

    configuration: str
    unit_run: str | None
    peerinact_s: Annotated[float, "silence after which LLT gives a peer up"]
    peertrouble_s: Annotated[float, "silence after which LLT reports trouble"]
    heartbeat_s: Annotated[float, "interval of heartbeats"]
    stable_s: Annotated[float, "GAB stable timeout"]
    deadtime_s: Annotated[float, "silence after which Heartbeat declares a peer dead"]
    keepalive_s: Annotated[float, "interval of Heartbeat's own heartbeats"]
    token_s: Annotated[float, "time without a token after which corosync declares it lost"]
    hold_s: Annotated[float, "time for which a node of an idle ring may keep the token"]
    hadr_timeout_s: Annotated[float, "silence after which HADR gives a connection up; DB2's default is 120 s"]
    is_hadr_timeout_assumed: Annotated[bool, "no database configuration specifies it"]
    ring_nodes: Annotated[Int32 | None, "nodes that corosync.conf lists; null where it lists none"]
    consensus_s: Annotated[float, "time corosync waits for the others to agree"]
    peerinact_low_s: Annotated[float, "peerinact is no shorter; as peerinact_s where a file specifies it"]
    peerinact_high_s: Annotated[float, "and no longer"]
    peertrouble_low_s: Annotated[float, "peertrouble is no shorter"]
    peertrouble_high_s: Annotated[float, "and no longer"]
    membership_low_s: Annotated[float, "peerinact and the stable timeout together are no shorter"]
    membership_high_s: Annotated[float, "and no longer"]
    deadtime_low_s: Annotated[float, "deadtime is no shorter"]
    deadtime_high_s: Annotated[float, "and no longer"]
    token_low_s: Annotated[float, "the token timeout is no shorter"]
    token_high_s: Annotated[float, "and no longer"]
    consensus_low_s: Annotated[float, "consensus is no shorter"]
    consensus_high_s: Annotated[float, "and no longer"]
    is_peerinact_assumed: Annotated[bool, "no llttab specifies it, and no line shows it"]
    is_peertrouble_assumed: Annotated[bool, "no llttab specifies it, and no line shows it"]
    is_stable_assumed: Annotated[bool, "no gabtab specifies it, and no line shows it"]
    is_membership_assumed: Annotated[
        bool, "peerinact or the stable timeout is assumed, and no line shows the two together"
    ]
    is_deadtime_assumed: Annotated[bool, "no ha.cf specifies it"]
    is_token_assumed: Annotated[
        bool, "neither corosync.conf nor the default of its version says it, and no line shows it"
    ]
    is_peerinact_inferred: Annotated[bool, "no llttab specifies it; lines of the configuration show it"]
    is_peertrouble_inferred: Annotated[bool, "the same of peertrouble"]
    is_stable_inferred: Annotated[bool, "no gabtab specifies it; lines of the configuration show it"]
    is_membership_inferred: Annotated[
        bool, "peerinact or the stable timeout is inferred, or lines show the two together"
    ]
    is_token_inferred: Annotated[
        bool, "no corosync.conf specifies it; lines of the configuration show it, or the version whose default it is"
    ]

    def bounds(self, timer: str) -> Timer:
        """What is known of one of its timers that has bounds."""
        names = (f"{timer}_low_s", f"{timer}_high_s", f"is_{timer}_assumed", f"is_{timer}_inferred")
        return Timer(*(getattr(self, each, False) for each in names))


class Shown(NamedTuple):
    """What lines show of a timer."""

    low_s: float | None = None
    high_s: float | None = None


@step(by=CONFIGURATION)
def inferred_timer(timer_evidence: Sequence[TimerEvidence]) -> Iterator[InferredTimer]:
    """What all runs of a configuration say of a timer; the line that bounds it best shows it."""
    for (timer,), lines in sorted(grouped(timer_evidence, "timer").items()):
        lows = [each.low_s for each in lines if each.low_s is not None]
        highs = [each.high_s for each in lines if each.high_s is not None]
        is_consistent = not lows or not highs or max(lows) <= min(highs)
        low_s, high_s = (max, min) if is_consistent else (min, max)
        best = min(lines, key=_uncertainty)
        yield InferredTimer(
            best.configuration,
            timer,
            max(low_s(lows, default=0.0), 0.0),
            high_s(highs, default=None),
            is_consistent,
            len({each.unit_run for each in lines if each.low_s is not None and each.high_s is not None}),
            best.unit_run,
            best.file_id,
            best.line_no,
        )


def _uncertainty(line: TimerEvidence) -> tuple[Any, ...]:  # keys of several types
    """Least for the line that bounds a timer best: on both sides, to the millisecond, then on the side that counts."""
    is_open = line.low_s is None or line.high_s is None
    width = None if line.low_s is None or line.high_s is None else round(1000 * (line.high_s - line.low_s))
    # a late heartbeat bounds the dead time from above, all else shows how long a silence may be
    bound = line.high_s if line.timer == "deadtime" else None if line.low_s is None else -line.low_s
    return is_open, nulls_last((width, bound, line.unit_run)), line.file_id, line.line_no


@step(by=CONFIGURATION, of="run_unit")
def cluster_timer(
    run_unit: Sequence[RunUnit],
    specified_timer: Sequence[SpecifiedTimer],
    inferred_timer: Sequence[InferredTimer],
    timer_setting: Sequence[TimerSetting],
    ha_line: Sequence[HaLine],
) -> Iterator[ClusterTimer]:
    """The timers in force in each unit: as a file specifies them, else as lines show them, else as they are usual."""
    shown = {each.timer: Shown(each.low_s, each.high_s) for each in inferred_timer}
    specified = grouped(specified_timer, "unit_run")
    version = max(filter(None, map(_ring_version, ha_line)), default=None)
    ring_files = grouped((each for each in timer_setting if each.scope == _ring()["scope"]), "run")
    for unit in run_unit:
        own = {each.timer: each.seconds for each in specified.get((unit.unit_run,), [])}
        files = [ring_files[run] for run in dict.fromkeys([(unit.unit_run,), (None,)]) if run in ring_files]
        ring_nodes = next(filter(None, map(_nodes_listed, files)), None)
        yield _in_force(unit, own, shown, Ring(version, ring_nodes, is_configured=bool(files)))


class Ring(NamedTuple):
    """What is known of the ring that a token goes round."""

    version: tuple[int, ...] | None
    node_count: int | None
    is_configured: bool

    def added_s(self, coefficient_s: float) -> float:
        """What the nodes beyond two add to a token."""
        if self.version is not None and self.version < tuple(_ring()["coefficient_since"]):
            return 0.0
        return max((self.node_count or 2) - 2, 0) * coefficient_s

    def default_token_s(self) -> float | None:
        """The token without a line, in a ring of two; None where no log prints the version."""
        tokens = _ring()["tokens"]
        return next((t["seconds"] for t in tokens if self.version and self.version >= tuple(t["since"])), None)


def _ring() -> Mapping[str, Any]:  # TOML
    rule: Mapping[str, Any] = rules("timers")["ring"]
    return rule


def _ring_version(line: HaLine) -> tuple[int, ...] | None:
    """The version that a program of the ring prints as it starts: 2.3.4."""
    if line.kind != "cluster_started" or line.stack != _ring()["stack"]:
        return None
    found = VERSION.match(line.new_state or "")
    return tuple(int(each or 0) for each in found.groups()) if found else None


def _nodes_listed(lines: Iterable[TimerSetting]) -> int | None:
    """How many nodes of a ring the nearest file lists that lists any."""
    nodes = grouped((each for each in lines if re.search(_ring()["node"], each.name)), "distance", "file_id")
    return len(nodes[min(nodes)]) if nodes else None


def _in_force(unit: RunUnit, own: Mapping[str, float], shown: Mapping[str, Shown], ring: Ring) -> ClusterTimer:
    """The timers of a unit. `own`: those that files specify."""
    usual, default = rules("timers")["usual"], rules("timers")["default"]
    peertrouble = _timer("peertrouble", own.get("peertrouble"), shown)
    stable = _timer("stable", own.get("stable"), shown)
    peerinact = _peerinact(own, shown)
    deadtime = _deadtime(own.get("deadtime"), shown.get("deadtime", Shown()))
    added_s = ring.added_s(own.get("token_coefficient", _ring()["coefficient_s"]))
    default_token_s = _plus(ring.default_token_s(), added_s)
    token = _timer("token", _plus(own.get("token"), added_s), shown, default_token_s if ring.is_configured else None)
    token_s = token.seconds(_first(default_token_s, usual["token"]["likely_s"]))
    share = _ring()["consensus_share"]
    return ClusterTimer(
        configuration=unit.configuration,
        unit_run=unit.unit_run,
        **_columns("peerinact", peerinact, max(usual["peerinact"]["likely_s"], peerinact.low_s)),
        **_columns("peertrouble", peertrouble, usual["peertrouble"]["likely_s"]),
        **_columns("stable", stable, usual["stable"]["likely_s"]),
        **_columns("membership", _membership(own, peerinact, stable, shown.get("membership", Shown()))),
        **_columns("deadtime", deadtime, min(usual["deadtime"]["likely_s"], deadtime.high_s)),
        **_columns("token", token, token_s),
        consensus_s=own.get("consensus", share * token_s),
        consensus_low_s=own.get("consensus", share * token.low_s),
        consensus_high_s=own.get("consensus", share * token.high_s),
        hold_s=own.get("hold", _hold_s(own, token)),
        ring_nodes=ring.node_count,
        heartbeat_s=own.get("heartbeat", default["heartbeat_s"]),
        keepalive_s=own.get("keepalive", default["keepalive_s"]),
        hadr_timeout_s=own.get("hadr_timeout", default["hadr_timeout_s"]),
        is_hadr_timeout_assumed="hadr_timeout" not in own,
    )


def _columns(name: str, timer: Timer, likely_s: float = 0.0) -> dict[str, Any]:  # columns of several types
    """The columns of a timer, of those that the relation has."""
    columns = {
        f"{name}_s": timer.seconds(likely_s),
        f"{name}_low_s": timer.low_s,
        f"{name}_high_s": timer.high_s,
        f"is_{name}_assumed": timer.is_assumed,
        f"is_{name}_inferred": timer.is_inferred,
    }
    return {column: value for column, value in columns.items() if column in ClusterTimer._fields}


def _timer(name: str, specified_s: float | None, shown: Mapping[str, Shown], default_s: float | None = None) -> Timer:
    """A timer as a file specifies it, else as lines show it, else as its version has it, else as is usual."""
    if specified_s is not None:
        return Timer(specified_s, specified_s)
    usual, by_lines = rules("timers")["usual"][name], shown.get(name, Shown())
    low_s = _first(by_lines.low_s, default_s, usual["low_s"])
    high_s = _first(by_lines.high_s, default_s, usual["high_s"])
    is_known = by_lines.high_s is not None or default_s is not None
    return Timer(low_s, high_s, is_assumed=not is_known, is_inferred=is_known)


def _peerinact(own: Mapping[str, float], shown: Mapping[str, Shown]) -> Timer:
    """A link that expires is one way to peerinact; the membership without the stable timeout another."""
    if "peerinact" in own:
        return Timer(own["peerinact"], own["peerinact"])
    usual, by_link = rules("timers")["usual"]["peerinact"], shown.get("peerinact", Shown())
    by_membership = shown.get("membership", Shown()) if "stable" in own else Shown()
    less_s = -own.get("stable", 0.0)
    lows = [each for each in (by_link.low_s, _plus(by_membership.low_s, less_s)) if each is not None]
    highs = [each for each in (by_link.high_s, _plus(by_membership.high_s, less_s)) if each is not None]
    # lines may prove that it is longer than any that is usual
    longest_s = max(usual["high_s"], 2 * max(lows, default=0.0))
    low_s = max([usual["low_s"], *lows])
    return Timer(low_s, min(highs, default=longest_s), is_assumed=not highs, is_inferred=bool(highs))


def _membership(own: Mapping[str, float], peerinact: Timer, stable: Timer, shown: Shown) -> Timer:
    """Peerinact and the stable timeout together: no longer and no shorter than both, else as lines show it."""
    low_s, high_s = peerinact.low_s + stable.low_s, peerinact.high_s + stable.high_s
    if "peerinact" in own and "stable" in own:
        return Timer(low_s, high_s)
    is_assumed = (peerinact.is_assumed or stable.is_assumed) and shown.high_s is None
    return Timer(
        min(low_s if shown.low_s is None else max(low_s, shown.low_s), high_s),
        max(high_s if shown.high_s is None else min(high_s, shown.high_s), low_s),
        is_assumed,
        is_inferred=not is_assumed,
    )


def _deadtime(specified_s: float | None, shown: Shown) -> Timer:
    """Lines only show that it is no longer than a silence that was late."""
    if specified_s is not None:
        return Timer(specified_s, specified_s)
    usual = rules("timers")["usual"]["deadtime"]
    high_s = max(min(usual["high_s"], _first(shown.high_s, usual["high_s"])), usual["low_s"])
    return Timer(usual["low_s"], high_s, is_assumed=True)


def _hold_s(own: Mapping[str, float], token: Timer) -> float:
    """How long an idle node holds the token, by totem_config.c."""
    ring = _ring()
    retransmits = own.get("token_retransmits_before_loss_const", ring["retransmits"])
    retransmit_s = own.get("token_retransmit", token.high_s / (retransmits + ring["retransmit_share"]))
    return float(ring["hold_share"] * retransmit_s - ring["tick_s"])


def _plus(seconds: float | None, more_s: float) -> float | None:
    return None if seconds is None else seconds + more_s


def _first(*values: T | None) -> T:
    return next(each for each in values if each is not None)
