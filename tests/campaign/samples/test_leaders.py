"""The recorded failovers of servers that elect a leader, held to the truth beside them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean

import duckdb
import pytest

from pipeline.ask.trace.follow import Follower
from pipeline.ask.trace.source import key_of, source
from pipeline.ingest.ingest import ingest
from pipeline.store.statements import rows
from samples.files import SAMPLES, files, unpack
from tests.support.sample import sample_store

LEADERS = SAMPLES / "leaders"
STUDIES = sorted(each.name for each in LEADERS.iterdir() if each.is_dir())
ENTRY = re.compile(r"# (\S+) (\d+)\n\[\[run\]\]\n.*\n.*\n# (.+) of \S+, done at (\S+)\ntrue_fault_at = (\S+)\n")
PLANNED = "planned switchover"
AGREEMENT_S = 0.5
SERVICE = {  # the step from which clients are served
    "galera": "ready",
    "keepalived-haproxy": "elected",
    "patroni-postgresql": "routed",
    "redis-sentinel": "announced",
    "repmgr": "ready",
}
LESS = {
    "galera": "suspect-3s",
    "keepalived-haproxy": "advert-200ms",
    "patroni-postgresql": "ttl-20",
    "redis-sentinel": "down-after-1s",
    "repmgr": "attempts-3",
}

FAILOVERS = """
    select r.fault_at, r.fault_kind, r.lost_node, o.outcome, o.recovered_at, round(c.outage_s, 2)
    from run r
    join run_outcome o using (configuration, run)
    left join client_outage c using (configuration, run)
    order by r.fault_at, c.node
"""

Key = tuple[str, str]


@dataclass(frozen=True)
class Fault:
    """What was done to a run, between two moments."""

    kind: str
    before: datetime
    after: datetime


def truth_of(study: str) -> Mapping[Key, Fault]:
    """What was done in each run."""
    text = (LEADERS / f"{study}.truth.toml").read_text(encoding="utf-8")
    moment = datetime.fromisoformat
    return {
        (name, f"run{int(number):02d}"): Fault(
            kind, moment(before).replace(tzinfo=None), moment(after).replace(tzinfo=None)
        )
        for name, number, kind, after, before in ENTRY.findall(text)
    }


def test_entries_of_the_truth_hold_the_plan() -> None:
    for study in STUDIES:
        faults = truth_of(study)
        for name in {name for name, _ in faults}:
            kinds = [fault.kind for (each, _), fault in faults.items() if each == name]
            assert len([kind for kind in kinds if kind != PLANNED]) >= 10, study
            assert len([kind for kind in kinds if kind != "power off"]) >= 3, study


@pytest.fixture(scope="module", params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in STUDIES])
def store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, duckdb.DuckDBPyConnection]]:
    with duckdb.connect(str(sample_store(f"leaders/{request.param}", tmp_path_factory)), read_only=True) as found:
        yield request.param, found


def test_every_failover_is_found_where_and_when_it_was(store: tuple[str, duckdb.DuckDBPyConnection]) -> None:
    study, con = store
    faults = truth_of(study)
    found = {
        (configuration, run): rest
        for configuration, run, *rest in con.execute(
            "select configuration, run, lost_node, surviving_node, used, fault_at_low, fault_at_high from run"
        ).fetchall()
    }
    outcomes = dict(con.execute("select (configuration, run), outcome from run_outcome").fetchall())
    assert con.execute("select sum(rejected_lines)::integer from source_file").fetchone() == (0,)
    assert found.keys() == faults.keys() == outcomes.keys()
    assert {key: rest[0] for key, rest in found.items()} == dict.fromkeys(faults, "node1")
    assert not [key for key, rest in found.items() if rest[1] in {None, "node1", "client"} or not rest[2]]
    planned = {key for key, fault in faults.items() if fault.kind == PLANNED}
    assert {key for key, outcome in outcomes.items() if outcome == "planned"} == planned
    assert {outcome for key, outcome in outcomes.items() if key not in planned} == {"recovered"}
    crashes = faults.keys() - planned
    inside = [
        key
        for key in crashes
        if found[key][3] is not None and found[key][3] <= faults[key].after and found[key][4] >= faults[key].before
    ]
    assert len(inside) >= 0.95 * len(crashes)
    assert max(found[key][4] - found[key][3] for key in inside) < timedelta(seconds=5)


def test_outage_by_the_logs_is_that_of_the_client(store: tuple[str, duckdb.DuckDBPyConnection]) -> None:
    study, con = store
    served = """
        select (milestone.configuration, milestone.run), milestone.elapsed_s - client_outage.outage_s
        from milestone join client_outage using (configuration, run)
        join run_outcome using (configuration, run)
        where milestone.milestone = ? and run_outcome.outcome <> 'planned'
    """
    differences = dict(con.execute(served, [SERVICE[study]]).fetchall())
    crashes = {key for key, fault in truth_of(study).items() if fault.kind != PLANNED}
    assert differences.keys() == crashes
    apart = con.execute(
        """
        select milestone.configuration, milestone.run
        from milestone join client_outage using (configuration, run)
        join run_outcome using (configuration, run)
        where milestone.milestone = ? and run_outcome.outcome <> 'planned'
        and (elapsed_low_s > outage_high_s or elapsed_high_s < outage_low_s)
        """,
        [SERVICE[study]],
    )
    assert apart.fetchall() == []  # both state bounds, and these overlap
    assert {key: value for key, value in differences.items() if abs(value) > AGREEMENT_S} == {}
    mean = sum(differences.values()) / len(differences)
    assert abs(mean) < AGREEMENT_S / 4


def test_effect_of_the_knob_has_its_interval(store: tuple[str, duckdb.DuckDBPyConnection]) -> None:
    study, con = store
    effect = """
        select relative_ratio, ci95_low, ci95_high from measurement_ratio
        where metric = 'client_outage_s' and configuration = ? and reference = 'baseline'
    """
    ((ratio, low, high),) = con.execute(effect, [LESS[study]]).fetchall()
    truth = [(key, fault.kind) for key, fault in truth_of(study).items()]
    assert len(truth) >= 22
    assert low < ratio < high < 1


KNOB = {
    "galera": "evs.suspect_timeout",
    "keepalived-haproxy": "advert_int",
    "patroni-postgresql": "ttl",
    "redis-sentinel": "down-after-milliseconds",
    "repmgr": "reconnect_attempts",
}


def test_setting_that_would_shorten_the_outage_is_the_one_that_was_turned(
    store: tuple[str, duckdb.DuckDBPyConnection],
) -> None:
    study, con = store
    said = dict(con.execute("select configuration, settings from governed_step where dominates").fetchall())
    assert {"baseline"} <= said.keys() <= {"baseline", LESS[study]}  # a fifth of a second may hide in the doubt
    assert all(KNOB[study] in settings for settings in said.values())


@pytest.mark.parametrize(
    ("relation", "column"),
    [
        ("milestone_stats_by_kind", "mean_s"),
        ("phase_stats_by_kind", "mean_duration_s"),
        ("phase_stats_by_kind", "mean_start_s"),
        ("phase_stats_by_kind", "mean_end_s"),
    ],
)
def test_means_by_kind_of_fault_follow_from_the_runs_of_that_kind(
    store: tuple[str, duckdb.DuckDBPyConnection], relation: str, column: str
) -> None:
    study, con = store
    follower = Follower(con, has_faults=False)
    found = {source(relation, row, key_of([*row]), column): row for row in rows(con, f"from {relation}")}
    assert found or study == "keepalived-haproxy"  # its failover is one step: it has no phases
    for each, groups in follower.groups(found).items():
        used = [run.value for group in groups for run in group.runs if run.is_used]
        values = [each for each in used if isinstance(each, float)]
        assert len(values) == found[each]["runs"], each
        assert fmean(values) == pytest.approx(found[each][column], abs=1e-9), each


def test_moments_of_truth_are_utc() -> None:
    for study in STUDIES:
        assert all(
            fault.before.replace(tzinfo=UTC) <= fault.after.replace(tzinfo=UTC) for fault in truth_of(study).values()
        )


def test_what_a_cut_leader_has_to_do_and_a_client_that_saw_nothing_are_no_trouble(
    store: tuple[str, duckdb.DuckDBPyConnection],
) -> None:
    _, connection = store
    query = "select kind, text from finding where kind in ('cluster_trouble', 'missing_step')"
    assert connection.execute(query).fetchall() == []


@pytest.mark.parametrize("stack", STUDIES)
def test_logs_of_all_runs_in_one_folder_tell_the_same_failovers(stack: str, tmp_path: Path) -> None:
    """Runs follow on each other within a minute, each of servers that are started anew."""
    name = min(LESS[stack], "baseline")
    folder = unpack(f"leaders/{stack}", tmp_path, f"{name}/") / name
    for path, content in files(folder):
        whole = tmp_path / "one-folder" / path.partition("/")[2]
        whole.parent.mkdir(parents=True, exist_ok=True)
        with whole.open("ab") as target:
            target.write(content.rstrip(b"\n") + b"\n")
    told = []
    for study in (folder, tmp_path / "one-folder"):
        ingest(study, store := tmp_path / f"{study.name}.duckdb")
        with duckdb.connect(store, read_only=True) as connection:
            told.append(connection.execute(FAILOVERS).fetchall())
    assert [each[:-1] for each in told[1]] == [each[:-1] for each in told[0]]
    # what an answer takes is a median over the run's questions
    assert [each[-1] for each in told[1]] == pytest.approx([each[-1] for each in told[0]], abs=0.1)
    assert len(told[0]) == 12
