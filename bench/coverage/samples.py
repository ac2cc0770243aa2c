"""The samples whose truth is known: `failover-2004` (simulated) and `pacemaker-postgresql` (recorded)."""

import csv
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean

import duckdb

from bench.coverage.studies import MEANS, FaultInterval, Item, ideal_s, ingested

SAMPLES = Path(__file__).parents[2] / "samples"


@dataclass(frozen=True, slots=True)
class Sample:
    """What is published of a sample: the milestones of its configurations, and the fault times of its runs."""

    name: str
    items: list[Item]
    faults: list[FaultInterval]


def samples() -> Iterator[Sample]:
    """Both samples."""
    yield failover_2004()
    yield pacemaker_postgresql()


def failover_2004() -> Sample:
    """True times of milestones are beside the sample."""
    with (SAMPLES / "failover-2004.truth.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    times_s: dict[tuple[str, str], list[float]] = defaultdict(list)
    faults: dict[tuple[str, str], datetime] = {}
    for row in rows:
        times_s[row["configuration"], row["milestone"]].append(float(row["elapsed_s"]))
        faults[row["configuration"], row["run"]] = _utc(datetime.fromisoformat(row["fault_at_utc"]))
    return _sample("failover-2004", times_s, faults)


def pacemaker_postgresql() -> Sample:
    """True times of crashes are beside the sample; a milestone's true time is its stamp since then."""
    truth = tomllib.loads((SAMPLES / "pacemaker-postgresql.truth.toml").read_text(encoding="utf-8"))
    faults = {(run["configuration"], f"run{run['run']:02d}"): _utc(run["true_fault_at"]) for run in truth["run"]}
    return _sample("pacemaker-postgresql", None, faults)


def _utc(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(tzinfo=None)


def _sample(
    name: str, times_s: dict[tuple[str, str], list[float]] | None, faults: dict[tuple[str, str], datetime]
) -> Sample:
    with ingested(SAMPLES / name) as con:
        true_s = times_s or _times_since(con, faults)
        found = {(row[0], row[1]): row[2:] for row in con.execute(MEANS["milestone"]).fetchall()}
        items = []
        for (configuration, milestone), times in true_s.items():
            runs, mean_s, low_s, high_s, common_s = found.get((configuration, milestone), (0, None, None, None, 0.0))
            items.append(
                Item(
                    configuration=configuration,
                    subject="milestone",
                    item=milestone,
                    runs=runs,
                    mean_s=mean_s,
                    low_s=low_s,
                    high_s=high_s,
                    population_s=None,
                    true_mean_s=fmean(times),
                    ideal_s=ideal_s(times),
                    common_s=common_s,
                )
            )
        return Sample(name, items, list(_faults(con, faults)))


def _times_since(
    con: duckdb.DuckDBPyConnection, faults: dict[tuple[str, str], datetime]
) -> dict[tuple[str, str], list[float]]:
    times_s: dict[tuple[str, str], list[float]] = defaultdict(list)
    query = """
        select milestone.configuration, milestone.run, milestone.milestone, milestone."at"
        from milestone inner join run using (configuration, run)
        where run.used order by all
    """
    for configuration, run, milestone, at in con.execute(query).fetchall():
        times_s[configuration, milestone].append((at - faults[configuration, run]).total_seconds())
    return times_s


def _faults(con: duckdb.DuckDBPyConnection, faults: dict[tuple[str, str], datetime]) -> Iterator[FaultInterval]:
    query = "select configuration, run, fault_source, fault_at_low, fault_at_high from run order by all"
    for configuration, run, source, low, high in con.execute(query).fetchall():
        if (configuration, run) in faults:
            truth = faults[configuration, run]
            ends = ((end - truth).total_seconds() if end is not None else None for end in (low, high))
            yield FaultInterval(configuration, run, source, *ends)
