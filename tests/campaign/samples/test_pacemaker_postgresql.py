"""The recorded failovers: lines read another way, and every inferred fault held to the true one."""

import re
import shutil
import statistics
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import duckdb
import pytest

from pipeline.ingest.ingest import ingest
from samples.files import SAMPLES, files

STUDY = SAMPLES / "pacemaker-postgresql"
TRUTH = SAMPLES / "pacemaker-postgresql.truth.toml"
CONFIGURATIONS = ("baseline", "short-token", "close-checkpoints", "short-token-close-checkpoints")
STEPS = ["token", "dead", "transition", "ip", "db_start", "started", "recovery", "redo", "redo_done", "ready"]
LAST = """
    select configuration, run, {columns} from {relation} order by all
"""


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The store of the folders alone, and that with study.toml."""
    folder = tmp_path_factory.mktemp("pacemaker")
    study, bare, whole = folder / "study", folder / "bare.duckdb", folder / "whole.duckdb"
    shutil.copytree(STUDY, study, ignore=shutil.ignore_patterns("study.toml"), copy_function=shutil.copy2)
    ingest(study, bare)
    shutil.copy2(bare, whole)
    shutil.copy2(STUDY / "study.toml", study)
    ingest(study, whole)
    return bare, whole


@pytest.fixture
def bare(stores: tuple[Path, Path]) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(stores[0]), read_only=True) as found:
        yield found


@pytest.fixture
def whole(stores: tuple[Path, Path]) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(stores[1]), read_only=True) as found:
        yield found


def lines(configuration: str, run: int, name: str) -> list[str]:
    """Lines of a log of the surviving node."""
    return _contents(configuration)[f"{configuration}/run{run:02d}/node2/{name}"].decode().splitlines()


@cache
def _contents(configuration: str) -> dict[str, bytes]:
    return dict(files(STUDY, f"{configuration}/"))


def second(pattern: str, texts: list[str], *, last: bool = False) -> float:
    """Second of the day of the first line, or the last, that has the pattern."""
    found = [text for text in texts if re.search(pattern, text)][-1 if last else 0]
    clock = re.search(r"(\d\d):(\d\d):(\d\d\.\d+)", found)
    assert clock
    return 3600 * int(clock[1]) + 60 * int(clock[2]) + float(clock[3])


def test_every_file_is_read_and_no_line_of_the_cluster_is_rejected(bare: duckdb.DuckDBPyConnection) -> None:
    counts = """
        select format, count(*), sum(rejected_lines) from source_file where status = 'parsed' and format <> 'pgbench'
        group by all order by 1
    """
    expected = {"client_probe": 40, "corosync": 80, "corosync_conf": 4, "crm_configure": 4, "iostat": 120}
    expected |= {"pacemaker": 80, "postgresql": 80, "postgresql_conf": 4, "vmstat": 80}
    assert bare.execute(counts).fetchall() == [(name, count, 0) for name, count in sorted(expected.items())]
    others = "select path, reason from source_file where status <> 'parsed'"
    assert dict(bare.execute(others).fetchall()) == {
        "README.md": "notes for people",
        "record/": "no part of the study: it holds a file .haledgerignore",
        **{f"{name}.tar.xz": "an archive; 173 members read in place" for name in CONFIGURATIONS},
    }


def test_forty_crashes_are_found_without_a_manifest_and_are_the_same_with_it(
    bare: duckdb.DuckDBPyConnection, whole: duckdb.DuckDBPyConnection
) -> None:
    runs = "select configuration, run, lost_node, surviving_node, used, flags, fault_source from run order by all"
    expected = [
        (configuration, f"run{run:02d}", "node1", "node2", True, "", "token loss")
        for configuration in sorted(CONFIGURATIONS)
        for run in range(1, 11)
    ]
    assert bare.execute(runs).fetchall() == whole.execute(runs).fetchall() == expected
    for relation, columns in (
        ("run", "fault_at, fault_at_low, fault_at_high"),
        ("milestone", "milestone, elapsed_s, file_id, line_no"),
        ("phase", "phase, start_s, end_s"),
    ):
        sql = LAST.format(columns=columns, relation=relation)
        assert bare.execute(sql).fetchall() == whole.execute(sql).fetchall(), relation
    ratios = "select configuration, reference, milestone, ratio, ratio_ci95_low from milestone_change order by all"
    assert bare.execute(ratios).fetchall() == whole.execute(ratios).fetchall()
    assert bare.execute("select count(*), bool_and(reference = 'baseline') from milestone_change").fetchone() == (
        44,
        True,
    )


def test_every_run_shows_every_step_in_order(bare: duckdb.DuckDBPyConnection) -> None:
    counts = dict(bare.execute("select milestone, sum(runs) from milestone_stats group by milestone").fetchall())
    assert counts == dict.fromkeys([*STEPS, "client_success"], 40)
    rows = bare.execute(
        "select configuration, run, map_from_entries(list((milestone, elapsed_s))) from milestone group by all"
    )
    for *_, at in rows.fetchall():
        database = [
            "token",
            "dead",
            "transition",
            "ip",
            "db_start",
            "recovery",
            "redo",
            "redo_done",
            "ready",
            "started",
        ]
        assert [at[name] for name in database] == sorted(at[name] for name in database)
        assert at["token"] > 0
        assert at["ready"] < at["client_success"] < at["ready"] + 0.5


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_milestones_are_the_lines_that_a_person_would_choose(
    bare: duckdb.DuckDBPyConnection, configuration: str
) -> None:
    run = 7
    corosync, pacemaker, server = (
        lines(configuration, run, name) for name in ("corosync.log", "pacemaker.log", "postgresql.log")
    )
    lost = second(r"formed\. Members left: 1", corosync)
    after = [text for text in pacemaker if re.match(r"\w+ \d+ \S+\.\d+ ", text) and second("", [text]) > lost]
    expected = {
        "token": second("A processor failed", corosync),
        "dead": second("Node node1 state is now lost", pacemaker),
        "transition": second("Calculated transition", after),
        "ip": second("Result of start operation for address on node2: ok", after),
        "started": second("Result of start operation for database on node2: ok", after),
        "db_start": second("starting PostgreSQL", server),
        "recovery": second("was interrupted", server),
        "redo": second("redo starts at", server),
        "redo_done": second("redo done at", server),
        "ready": second("ready to accept connections", server),
    }
    sql = """
        select milestone, epoch("at") - epoch(date_trunc('day', "at")) from milestone
        where configuration = ? and run = 'run07' and milestone <> 'client_success'
    """
    assert dict(bare.execute(sql, [configuration]).fetchall()) == pytest.approx(expected)


def test_mean_duration_of_redo_is_that_which_the_server_gives(bare: duckdb.DuckDBPyConnection) -> None:
    found = dict(bare.execute("select configuration, mean_duration_s from phase_stats where phase = 'redo'").fetchall())
    for configuration in CONFIGURATIONS:
        declared = [
            float(elapsed)
            for run in range(1, 11)
            for elapsed in re.findall(
                r"redo done at .* elapsed: ([\d.]+) s", "\n".join(lines(configuration, run, "postgresql.log"))
            )
        ]
        assert len(declared) == 10
        assert found[configuration] == pytest.approx(statistics.fmean(declared), abs=0.02)


def test_true_moments_are_those_of_the_recorder(whole: duckdb.DuckDBPyConnection) -> None:
    declared = tomllib.loads(TRUTH.read_text(encoding="utf-8"))["run"]
    expected = {(each["configuration"], f"run{each['run']:02d}"): each["true_fault_at"] for each in declared}
    found = whole.execute("select configuration, run, true_fault_at from run").fetchall()
    assert {tuple(key): at for *key, at in found} == {key: at.replace(tzinfo=None) for key, at in expected.items()}


def test_every_inferred_interval_holds_the_truth(bare: duckdb.DuckDBPyConnection) -> None:
    """The truth is not in this store: nothing could have been inferred from it."""
    assert bare.execute("select count(true_fault_at) from run").fetchone() == (0,)
    spans = {
        (configuration, run): (low, high)
        for configuration, run, low, high in bare.execute(
            "select configuration, run, fault_at_low, fault_at_high from run"
        ).fetchall()
    }
    for each in tomllib.loads(TRUTH.read_text(encoding="utf-8"))["run"]:
        low, high = spans[each["configuration"], f"run{each['run']:02d}"]
        truth = each["true_fault_at"].replace(tzinfo=None)
        assert low <= truth <= high, each
        token_s = 1 if "short-token" in each["configuration"] else 5
        assert (high - low).total_seconds() <= 0.8 * token_s / 4.2 + 0.011


def test_clients_and_last_words_narrow_what_the_token_leaves(bare: duckdb.DuckDBPyConnection) -> None:
    query = (
        "select starts_with(configuration, 'short-token'), median(width_s), max(width_s), count(*) "
        "from fault_time group by 1 order by 1"
    )
    (long_token, short_token) = bare.execute(query).fetchall()
    assert long_token[1] < 0.2
    assert long_token[2] < 0.3
    assert short_token[1] < 0.2
    assert long_token[3] == short_token[3] == 20
    bases = bare.execute("select distinct node_key, basis from host_clock order by 1").fetchall()
    assert bases == [("client", "refusals"), ("node1", "ring")]
    # all of them share one clock
    assert bare.execute("select count(*) from host_clock where 0 not between low_s and high_s").fetchone() == (0,)


def test_layout_and_parameters_come_from_the_configuration_of_the_cluster(bare: duckdb.DuckDBPyConnection) -> None:
    sql = "select distinct resource, agent_type, object_class from crm_resource order by all"
    assert bare.execute(sql).fetchall() == [("address", "IPaddr2", "address"), ("database", "pgsql", "database")]
    sql = """
        select configuration, string_agg(name || ' ' || value, ', ' order by name) from parameter_change
        where name in ('max_wal_size', 'checkpoint_timeout', 'totem.token') group by all order by all
    """
    checkpoints = "checkpoint_timeout 30s, max_wal_size 256MB"
    assert bare.execute(sql).fetchall() == [
        ("close-checkpoints", checkpoints),
        ("short-token", "totem.token 1000"),
        ("short-token-close-checkpoints", f"{checkpoints}, totem.token 1000"),
    ]
