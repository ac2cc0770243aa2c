"""What became of a variation: the same numbers, a difference that the store points out, or one in silence."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from bench.metamorphic.variations import CLIENT, EXACT, HOLDS, Base
from pipeline.store import store

SAME, SAID, WRONG = "same", "said", "wrong"
FIRST_SYMPTOM = "first symptom"
SAME_S = 1e-6
COMPARED_S = 0.01
"""How exactly the clocks of a client and a server are compared."""


@dataclass(frozen=True, slots=True)
class Failover:
    """A run that counts. `seconds`: by milestone; `fault`: low, best and high; `truth`: as recorded, else None."""

    configuration: str
    outcome: str
    lost_node: str | None
    surviving_node: str | None
    fault: tuple[datetime | None, ...]
    fault_source: str | None
    truth: datetime | None
    seconds: Mapping[str, float] = field(compare=False)
    outage_s: float | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What a store says of its failovers: `means` by configuration and milestone, with the number of runs."""

    failovers: tuple[Failover, ...]
    means: Mapping[tuple[str, str], tuple[int, float]]
    doubts: frozenset[str]


def result_of(db: Path) -> Result:
    """The failovers of a store in the order of time."""
    with store.opened(db) as con:
        seconds: dict[tuple[str, str], dict[str, float]] = {}
        for configuration, run, milestone, elapsed_s in con.execute(
            "select configuration, run, milestone, elapsed_s from milestone order by all"
        ).fetchall():
            seconds.setdefault((configuration, run), {})[milestone] = elapsed_s
        found = con.execute(
            "select configuration, run, outcome, lost_node, surviving_node, fault_at_low, fault_at, fault_at_high, "
            "fault_source, true_fault_at from run left join run_outcome using (configuration, run) where used "
            "order by configuration, fault_at"
        ).fetchall()
        outages = {
            (configuration, run): outage_s
            for configuration, run, outage_s in con.execute(
                "select configuration, run, max(outage_s) from client_outage group by all"
            ).fetchall()
        }
        means = con.execute("select configuration, milestone, runs, mean_s from milestone_stats").fetchall()
        doubts = con.execute("select kind || ': ' || text from finding where severity = 'warning'").fetchall()
    return Result(
        tuple(
            Failover(
                name,
                outcome,
                lost,
                surviving,
                tuple(fault),
                source,
                truth,
                seconds.get((name, run), {}),
                outages.get((name, run)),
            )
            for name, run, outcome, lost, surviving, *fault, source, truth in found
        ),
        {(name, milestone): (count, mean) for name, milestone, count, mean in means},
        frozenset(text for (text,) in doubts),
    )


def base_of(db: Path) -> Base:
    """What variations that cut logs need to know."""
    with store.opened(db) as con:
        lost = con.execute("select configuration, run, lost_node from run where used").fetchall()
        bounds = "select path, min(line_no) from ({}) group by path"
        first = con.execute(bounds.format(FROM_SYMPTOM)).fetchall()
        after = con.execute(bounds.format(AFTER_RECOVERY)).fetchall()
    return Base({(configuration, run): node for configuration, run, node in lost if node}, dict(first), dict(after))


_LINES = """
select source_file.path, event.line_no
from event
inner join source_file using (file_id)
inner join ({moments}) as moments
    on event.configuration = moments.configuration and source_file.run = moments.run and event."at" >= moments.moment
where event.source not in ('client')
"""
FROM_SYMPTOM = _LINES.format(moments="select configuration, run, loss_at as moment from incident where not is_extra")
AFTER_RECOVERY = _LINES.format(
    moments='select configuration, run, max("at") + interval 20 second as moment from milestone group by all'
)


def verdict(base: Result, varied: Result, promise: str, names: Mapping[str, str]) -> tuple[str, str]:
    """`same`, `said` or `wrong`, and what differs. `names`: configurations of the base by their new names."""
    wrong = _differences(base, varied, names, promise)
    if not wrong:
        return SAME, ""
    news = {text.partition(":")[0] for text in varied.doubts} - {text.partition(":")[0] for text in base.doubts}
    return (SAID, f"{wrong[0]} [{', '.join(sorted(news))}]") if news else (WRONG, "; ".join(wrong[:3]))


def _differences(base: Result, varied: Result, names: Mapping[str, str], promise: str) -> list[str]:
    found = [
        each for each in varied.failovers if names.get(each.configuration, each.configuration) in _configurations(base)
    ]
    survivors = {each.surviving_node for each in base.failovers}
    wrong = []
    if len(found) != len(base.failovers) or len(found) != len(varied.failovers):
        wrong.append(f"{len(base.failovers)} failovers, now {len(varied.failovers)}")
    for old in (each for each in base.failovers if each.fault[1] is not None):
        new = _nearest(old, varied.failovers)
        if new is None:
            wrong.append(f"a failover of {old.configuration} is not found")
            continue
        wrong += [f"{old.configuration}: {text}" for text in _of_run(old, new, promise, survivors)]
    if promise == EXACT:
        means = {(names.get(name, name), step): value for (name, step), value in varied.means.items()}
        wrong += [
            f"mean of {key}: {value} is {means.get(key)}"
            for key, value in base.means.items()
            if not _is_close(value, means.get(key))
        ]
    return wrong


def _configurations(result: Result) -> set[str]:
    return {each.configuration for each in result.failovers}


def _nearest(old: Failover, failovers: tuple[Failover, ...]) -> Failover | None:
    """The failover of about the same time, if any: half a minute off is another one."""
    at = old.fault[1]
    dated = [(abs((each.fault[1] - at).total_seconds()), each) for each in failovers if each.fault[1] and at]
    best = min(dated, key=lambda pair: pair[0], default=None)
    return best[1] if best is not None and best[0] <= 60 else None


def _of_run(old: Failover, new: Failover, promise: str, others: Collection[str | None]) -> list[str]:
    wrong = []
    if old.outcome != new.outcome:
        wrong.append(f"{old.outcome} is {new.outcome}")
    # where evidence is gone nothing may say whose address or id it is
    if old.lost_node != new.lost_node and (promise != HOLDS or new.lost_node in {None, *others}):
        wrong.append(f"lost {old.lost_node} is {new.lost_node}")
    if promise == CLIENT and not _is_about(old.outage_s, new.outage_s):
        wrong.append(f"outage {old.outage_s} s is {new.outage_s}")
    wrong += [
        f"{name} {value:.3f} s is {new.seconds.get(name)}"
        for name, value in old.seconds.items()
        if (promise == EXACT and not _is_about(value, new.seconds.get(name)))
        or (promise == CLIENT and name in new.seconds and not _is_of_client(name, value, new.seconds[name]))
    ]
    if promise != EXACT and not _holds(new, old.truth or old.fault[1]):
        wrong.append(f"the fault lies outside {new.fault[0]} to {new.fault[2]}")
    return wrong


def _is_about(one: float | None, other: float | None) -> bool:
    return one == other or (one is not None and other is not None and abs(one - other) <= SAME_S)


def _is_of_client(milestone: str, one: float, other: float) -> bool:
    """Whether a client's time is the same, as far as clocks can be compared; others may move with the fault."""
    return not milestone.startswith("client") or abs(one - other) <= COMPARED_S


def _holds(run: Failover, truth: datetime | None) -> bool:
    if run.fault_source == FIRST_SYMPTOM:
        return True
    low, _, high = run.fault
    return low is not None and high is not None and truth is not None and low <= truth <= high


def _is_close(one: tuple[int, float], other: tuple[int, float] | None) -> bool:
    return other is not None and one[0] == other[0] and (one[1] == other[1] or abs(one[1] - other[1]) < 1e-6)
