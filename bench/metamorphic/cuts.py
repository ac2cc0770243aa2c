"""Recorded studies cut at random, and how often the true faults are found in what is left.

The logs of each run begin at a random moment `before` the fault, or `at` the symptom: from the fault to the first line
that shows it. The lost node's folder is kept or left out, the client's too.
"""

import re
import shutil
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path
from random import Random
from statistics import median

from bench.metamorphic.judge import FIRST_SYMPTOM
from pipeline.ingest.ingest import ingest
from pipeline.store import store
from samples.files import SAMPLES, unpack

RECORDED = (
    *(f"leaders/{name}" for name in ("galera", "keepalived-haproxy", "patroni-postgresql", "redis-sentinel", "repmgr")),
    "pacemaker-postgresql",
)
PLACES = ("before", "at")
LEAST_FOUND = 0.95
SAME_FAULT = timedelta(minutes=1)
CLIENT = "client"

Run = tuple[str, str]
Moments = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class Whole:
    """A study before it is cut.

    `faults`: between which moments each was done. `places`: by run and place, where its logs may begin. `lines`: by run
    and file the dated lines in order, each with its number. `slower`: pairs of configurations, kinds of fault and steps
    whose intervals do not overlap, the slower one first.
    """

    faults: Mapping[Run, Moments]
    lost: Mapping[Run, str]
    places: Mapping[tuple[Run, str], Moments]
    lines: Mapping[Run, Mapping[str, list[tuple[int, datetime]]]]
    slower: frozenset[tuple[str, str, str, str]]


@dataclass(slots=True)
class Score:
    """What became of the runs of a study that were cut in one way."""

    runs: int = 0
    found: int = 0
    inside: int = 0
    from_symptom: int = 0
    widths_s: list[float] = field(default_factory=list)
    orders: int = 0
    turned: int = 0
    misses: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        """Say whether enough is found and right, and no order is turned round."""
        return self.found >= LEAST_FOUND * self.runs and self.inside >= LEAST_FOUND * self.found and not self.turned

    def row(self) -> str:
        """The score as cells of a table."""
        width = f"{min(self.widths_s):.2f} to {median(self.widths_s):.1f}" if self.widths_s else ""
        return (
            f"{self.found}/{self.runs} | {self.inside}/{self.found} | {self.from_symptom} | {width} | "
            f"{self.turned}/{self.orders}"
        )


def scored(name: str, folder: Path, draws: int) -> Mapping[str, Score]:
    """Cut a study so many times in each way; the scores by way. `folder`: an empty one to work in."""
    scores: dict[str, Score] = defaultdict(Score)
    study = folder / "whole"
    unpack(name, study)
    manifest = (SAMPLES / name / "study.toml").read_text(encoding="utf-8")
    (study / "study.toml").write_text(manifest[: manifest.find("[[claim]]")], encoding="utf-8")
    ingest(study, folder / "whole.duckdb")
    whole = _whole(folder / "whole.duckdb", _truth_of(name))
    for draw, place in product(range(draws), PLACES):
        cut, db = folder / "cut", folder / "cut.duckdb"
        shutil.copytree(study, cut)
        _cut(cut, whole, place, Random(f"{name} {draw} {place}"))  # noqa: S311  not for secrets
        for way in ("with", "without"):  # the second ingest reads only what changed
            _leave_out(cut, whole, is_lost_node_kept=way == "with", is_client_kept=draw % 2 == 0)
            ingest(cut, db)
            _judge(db, whole, scores[f"{place}, {way} the lost node"], cut, f"draw {draw}")
        shutil.rmtree(cut)
        db.unlink()
    return scores


def _truth_of(name: str) -> Mapping[Run, Moments]:
    """Between which moments each fault was done: the second one stands in a comment."""
    found: dict[Run, Moments] = {}
    configuration, run, after = "", "", ""
    for line in (SAMPLES / f"{name}.truth.toml").read_text(encoding="utf-8").splitlines():
        word = line.rpartition(" ")[2]
        if line.startswith("configuration"):
            configuration = word.strip('"')
        elif line.startswith("run ="):
            run = f"run{int(word):02}"
        elif line.startswith("# ") and word.endswith("Z"):
            after = word
        elif line.startswith("true_fault_at"):
            found[configuration, run] = (_moment(word), _moment(after))
    return found


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=None)


def _whole(db: Path, faults: Mapping[Run, Moments]) -> Whole:
    lines: dict[Run, dict[str, list[tuple[int, datetime]]]] = defaultdict(lambda: defaultdict(list))
    with store.opened(db) as con:
        for configuration, run, path, line_no, at in con.execute(
            "select source_file.configuration, source_file.run, path, event.line_no, event.at "
            "from event inner join source_file using (file_id) "
            "where event.at is not null and source_file.run is not null order by path, line_no"
        ).fetchall():
            lines[configuration, run][path].append((line_no, at))
        runs = con.execute(
            "select configuration, run, lost_node, fault_at_high from run "
            "inner join run_outcome using (configuration, run) where used and outcome <> 'planned'"
        ).fetchall()
        lost, places = {}, {}
        for configuration, run, node, symptom_at in runs:
            key = (configuration, run)
            begins_at = min(of_file[0][1] for path, of_file in lines[key].items() if f"/{CLIENT}/" not in path)
            lost[key] = node
            places[key, "before"] = (begins_at, faults[key][0])
            places[key, "at"] = (faults[key][0], max(symptom_at, faults[key][0]))
        slower = frozenset(con.execute(SLOWER).fetchall())
    return Whole({key: faults[key] for key in lost}, lost, places, lines, slower)


SLOWER = """
select one.configuration, other.configuration, one.fault_kind, one.milestone
from milestone_stats_by_kind as one
inner join milestone_stats_by_kind as other using (fault_kind, milestone)
where one.ci95_low_s > other.ci95_high_s
"""


def _cut(study: Path, whole: Whole, place: str, random: Random) -> None:
    for run in sorted(whole.lost):
        low, high = whole.places[run, place]
        begins_at = low + random.random() * (high - low)
        for path, dated in whole.lines[run].items():
            file = study / path
            first = next((line_no for line_no, at in dated if at >= begins_at), None)
            if first is None:
                file.unlink()
            else:
                file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[first - 1 :]))


def _leave_out(study: Path, whole: Whole, *, is_lost_node_kept: bool, is_client_kept: bool) -> None:
    for run, lost in whole.lost.items():
        folder = study.joinpath(*run)
        left_out = {lost: not is_lost_node_kept, CLIENT: not is_client_kept}
        for each in (folder / node for node, is_out in left_out.items() if is_out):
            shutil.rmtree(each, ignore_errors=True)
        if not any(each.is_file() and each.parent.name != CLIENT for each in folder.rglob("*")):
            shutil.rmtree(folder, ignore_errors=True)
    manifest = study / "study.toml"
    parts = re.split(r"(?m)^(?=\[)", manifest.read_text(encoding="utf-8"))
    manifest.write_text("".join(each for each in parts if _is_there(study, each)), encoding="utf-8")


def _is_there(study: Path, part: str) -> bool:
    """Whether a part of study.toml is about something that is left."""
    run = re.search(r'(?m)^configuration = "(.+)"\nrun = ([0-9]+)', part)
    return run is None or study.joinpath(run[1], f"run{int(run[2]):02}").exists()


def _judge(db: Path, whole: Whole, score: Score, cut: Path, draw: str) -> None:
    with store.opened(db) as con:
        found = {
            (configuration, run): rest
            for configuration, run, *rest in con.execute(
                "select configuration, run, lost_node, fault_at_low, fault_at, fault_at_high, fault_source, outcome "
                "from run left join run_outcome using (configuration, run) "
                "where fault_at is not null and same_as is null"
            ).fetchall()
        }
        slower = {tuple(row) for row in con.execute(SLOWER).fetchall()}
    score.orders += len(whole.slower)
    turned = [each for each in whole.slower if (each[1], each[0], *each[2:]) in slower]
    score.turned += len(turned)
    score.misses += [f"{draw}: turned round: {each}" for each in turned]
    for key, (done_low, done_high) in whole.faults.items():
        if not cut.joinpath(*key).exists():  # nothing was logged later
            continue
        score.runs += 1
        if key not in found:
            score.misses.append(f"{draw}: {key}: not found")
            continue
        lost, low, at, high, source, outcome = found[key]
        if not _is_named(lost, whole, key) or outcome == "planned" or abs(at - done_low) > SAME_FAULT:
            score.misses.append(f"{draw}: {key}: {outcome} loss of {lost} at {at}, fault {done_low}")
            continue
        score.found += 1
        score.from_symptom += source == FIRST_SYMPTOM
        if low is not None:
            score.widths_s.append((high - low).total_seconds())
        if high >= done_low and (low is None or low <= done_high):
            score.inside += 1
        else:
            ends = [(end - done_low).total_seconds() if end else None for end in (low, high)]
            score.misses.append(f"{draw}: {key}: {source} {ends} s off the fault")


def _is_named(lost: str | None, whole: Whole, run: Run) -> bool:
    """Whether it is the lost node, or an id that no other host has: what is left may not say whose it is."""
    hosts = {Path(path).parts[2] for path in whole.lines[run]}
    return lost is not None and lost not in hosts - {whole.lost[run]}
