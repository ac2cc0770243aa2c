"""Studies with known truth, as folders of logs, and what the product publishes of them."""

import math
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Protocol

import duckdb
from scipy.stats import t as student

from bench.coverage import logs
from bench.coverage.logs import Evidence, wall
from bench.coverage.physics import MILESTONES, PHASES, SECOND, Physics, Run
from pipeline.ingest.ingest import ingest
from pipeline.store import store

NOW = datetime(2004, 6, 1)  # noqa: DTZ001  naive UTC; after the last log


class Written(Protocol):
    """A configuration that can be written, and what is true of it. `faults`: instants in the order of the runs."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def faults(self) -> Sequence[int]: ...  # noqa: D102
    def files(self) -> Iterator[tuple[str, str]]: ...  # noqa: D102
    def truths(self) -> Iterator[tuple[str, str, float, list[float]]]: ...  # noqa: D102
    def manifest(self) -> Iterator[str]: ...  # noqa: D102


@dataclass(frozen=True)
class Configuration:
    """One configuration of a study: its physics, its runs, and how they are logged."""

    name: str
    physics: Physics
    runs: Sequence[Run]
    fine: bool  # messages in milliseconds, else in whole seconds
    is_fault_known: bool
    has_llttab: bool = True
    evidence: Sequence[Evidence] | None = None  # of every run; None: all that the configuration logs
    reference: str | None = None

    @property
    def faults(self) -> Sequence[int]:
        """When each run's fault was."""
        return [run.fault_at for run in self.runs]

    def files(self) -> Iterator[tuple[str, str]]:
        """The files by path within the study."""
        yield f"{self.name}/main.cf", logs.MAIN_CF
        if self.has_llttab:
            yield f"{self.name}/llttab", logs.llttab(self.physics.peerinact_s)
        yield f"{self.name}/gabtab", logs.gabtab(self.physics.stable_s)
        node = f"{self.name}/{logs.SURVIVOR}"
        evidence = self.evidence or [Evidence(expired=self.physics.expiry_is_logged)] * len(self.runs)
        yield f"{node}/messages", logs.messages(self.physics, self.runs, evidence, fine=self.fine)
        yield f"{node}/engine_A.log", logs.engine(self.runs)
        yield f"{node}/db2diag.log", logs.db2diag(self.runs)

    def truths(self) -> Iterator[tuple[str, str, float, list[float]]]:
        """Milestones and phases, each with its population mean and its true times, seconds."""
        for name in MILESTONES:
            yield "milestone", name, self.physics.means[name], [run.elapsed[name] / SECOND for run in self.runs]
        for name in PHASES:
            yield "phase", name, self.physics.phase_means[name], [run.duration(name) / SECOND for run in self.runs]

    def manifest(self) -> Iterator[str]:
        """What study.toml says of it."""
        yield f'[configuration."{self.name}"]'
        if self.reference:
            yield f'reference = "{self.reference}"'
        for number, run in enumerate(self.runs if self.is_fault_known else (), 1):
            yield "[[run]]"
            yield f'configuration = "{self.name}"'
            yield f"run = {number}"
            yield f"fault_at = {wall(run.fault_at).isoformat(timespec='milliseconds')}Z"


@dataclass(frozen=True, slots=True)
class Item:
    """A milestone or phase of a configuration: what is published of it, and the truth. Seconds.

    `low_s`, `high_s`: None where no interval is published; `mean_s`: None where nothing is. `ideal_s`: half width of
    the t interval of the true times. `population_s` is None where nobody knows it (the samples). `common_s`: the error
    that all runs share, half width, as published.
    """

    configuration: str
    subject: str
    item: str
    runs: int
    mean_s: float | None
    low_s: float | None
    high_s: float | None
    population_s: float | None
    true_mean_s: float
    ideal_s: float
    common_s: float = 0.0

    def holds(self, truth: float | None) -> bool:
        """Say whether the published interval holds a value."""
        if truth is None or self.low_s is None or self.high_s is None:
            return False
        return self.low_s - 1e-9 <= truth <= self.high_s + 1e-9  # a microsecond is what stamps show at best

    @property
    def ideal_holds(self) -> bool:
        """Say whether the t interval of the true times holds the population mean."""
        return self.population_s is not None and abs(self.true_mean_s - self.population_s) <= self.ideal_s

    @property
    def is_improper(self) -> bool:
        """Say whether the interval has no width, or allows that a duration is below zero."""
        return self.low_s is not None and self.high_s is not None and (self.low_s < 0 or self.high_s <= self.low_s)

    @property
    def half_width_s(self) -> float | None:
        """Half the width of the published interval."""
        return None if self.low_s is None or self.high_s is None else (self.high_s - self.low_s) / 2

    @property
    def width_ratio(self) -> float | None:
        """The published half width, beyond the error in common, over that of the true times' own t interval."""
        half = self.half_width_s
        return None if half is None or self.ideal_s <= 0 else (half - self.common_s) / self.ideal_s


@dataclass(frozen=True, slots=True)
class FaultInterval:
    """The published interval of a fault time against the true one; ends are seconds after the truth."""

    configuration: str
    run: str
    source: str | None
    low_s: float | None
    high_s: float | None

    @property
    def holds(self) -> bool:
        """Say whether the interval holds the true fault."""
        return self.low_s is not None and self.high_s is not None and self.low_s <= 0 <= self.high_s

    @property
    def width_s(self) -> float | None:
        """Its width."""
        return None if self.low_s is None or self.high_s is None else self.high_s - self.low_s


@dataclass(frozen=True, slots=True)
class Comparison:
    """A difference that is published between two configurations of the same physics."""

    configuration: str
    subject: str
    item: str
    ratio_low: float | None
    ratio_high: float | None
    p_holm: float | None

    @property
    def is_false(self) -> bool:
        """Say whether it claims a difference: p below 0.05, or an interval of the ratio without 1."""
        excludes = (
            self.ratio_low is not None
            and self.ratio_high is not None
            and not self.ratio_low - 1e-9 <= 1 <= self.ratio_high + 1e-9
        )
        return excludes or (self.p_holm is not None and self.p_holm < 0.05)


@dataclass(frozen=True, slots=True)
class Published:
    """What the product publishes of a study, beside the truth."""

    items: Sequence[Item] = field(default_factory=list)
    faults: Sequence[FaultInterval] = field(default_factory=list)
    comparisons: Sequence[Comparison] = field(default_factory=list)
    unused: Sequence[str] = field(default_factory=list)  # runs that the product sets aside, with its reason


def random_of(*names: object) -> Random:
    """A source of randomness that depends on nothing but these names."""
    return Random("/".join(map(str, names)))  # noqa: S311  simulated jitter


def write(folder: Path, configurations: Iterable[Written]) -> Path:
    """Write a study."""
    manifest = ["[study]", 'title = "Coverage"', 'timezone = "UTC"']
    files: dict[str, str] = {}
    for each in configurations:
        files |= dict(each.files())
        manifest += each.manifest()
    files["study.toml"] = "\n".join(manifest) + "\n"
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode("ascii"))
    return folder


@contextmanager
def ingested(study: Path | Callable[[Path], Path]) -> Iterator[duckdb.DuckDBPyConnection]:
    """The store of a study, or of the one that a function writes into a folder; both are gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="haledger-coverage-"))
    try:
        source = study if isinstance(study, Path) else study(folder / "study")
        db = folder / "store.duckdb"
        ingest(source, db, now=None if isinstance(study, Path) else NOW)
        with store.opened(db) as con:
            yield con
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def published(configurations: Sequence[Written]) -> Published:
    """Have the product read a study and say what it publishes of it."""
    with ingested(lambda folder: write(folder, configurations)) as con:
        return Published(
            items=list(items_of(con, configurations)),
            faults=list(faults_of(con, configurations)),
            comparisons=list(comparisons_of(con)),
            unused=[
                f"{configuration} {run}: {reason}"
                for configuration, run, reason in con.execute(
                    "select configuration, run, excluded_reason from run where not used order by all"
                ).fetchall()
            ],
        )


MEANS: Mapping[str, str] = {
    subject: (
        f"select configuration, {subject}, runs, {mean}, ci95_low_s, ci95_high_s, common_error_s from {subject}_stats"
    )
    for subject, mean in (("milestone", "mean_s"), ("phase", "mean_duration_s"))
}


def items_of(con: duckdb.DuckDBPyConnection, configurations: Iterable[Written]) -> Iterator[Item]:
    """Every milestone and phase of every configuration, also where nothing is published of it."""
    found = {
        (subject, configuration, item): values
        for subject, query in MEANS.items()
        for configuration, item, *values in con.execute(query).fetchall()
    }
    for each in configurations:
        for subject, name, population_s, times_s in each.truths():
            runs, mean_s, low_s, high_s, common_s = found.get((subject, each.name, name), (0, None, None, None, 0.0))
            published = (runs, mean_s, low_s, high_s)
            truth = (population_s, fmean(times_s), ideal_s(times_s))
            yield Item(each.name, subject, name, *published, *truth, common_s)


def ideal_s(times_s: Sequence[float]) -> float:
    """Half width of the 95 % t interval of the mean of these times; 0 for fewer than two."""
    count = len(times_s)
    return float(student.ppf(0.975, count - 1)) * stdev(times_s) / math.sqrt(count) if count > 1 else 0.0


def faults_of(con: duckdb.DuckDBPyConnection, configurations: Iterable[Written]) -> Iterator[FaultInterval]:
    """The interval of every run's fault time."""
    found = {
        (configuration, number): values
        for configuration, number, *values in con.execute(
            "select configuration, run_no, fault_source, epoch_us(fault_at_low), epoch_us(fault_at_high) from run"
        ).fetchall()
    }
    for each in configurations:
        for number, fault_at in enumerate(each.faults, 1):
            source, low, high = found.get((each.name, number), (None, None, None))
            ends = ((end - fault_at) / SECOND if end is not None else None for end in (low, high))
            yield FaultInterval(each.name, str(number), source, *ends)


def comparisons_of(con: duckdb.DuckDBPyConnection) -> Iterator[Comparison]:
    """Every comparison of two configurations."""
    query = """
        select configuration, subject, item, ratio_ci95_low, ratio_ci95_high, p_holm from mean_comparison
        where configuration <> reference and subject in ('milestone', 'phase')
        order by configuration, subject, item
    """
    for row in con.execute(query).fetchall():
        yield Comparison(*row)
