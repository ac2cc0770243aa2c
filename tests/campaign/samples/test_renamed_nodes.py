"""What nodes are called changes no number: their folders renamed at random, their hosts at two sites or in capitals."""

import os
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import duckdb
import pytest

from pipeline.ingest.ingest import ingest
from samples.files import unpack
from tests.support.sample import sample_store

NODES = {
    "drbd-2005": ("spock1", "spock2"),
    "failover-2004": ("sun-ha3", "sun-ha4"),
    "failover-modern": ("elm-1", "elm-2"),
    "nfs-fcp-2009": ("dbserver",),
    "oltp-cluster-2003": tuple(f"db2srv{number}" for number in range(1, 6)),
    "pacemaker-postgresql": ("node1", "node2"),
}
NAMES = (
    *("primary", "standby", "DB01", "DB02", "node A", "node B", "master", "slave", "n1", "n2", "left", "right"),
    *("server-a", "server-b", "replica", "alpha", "Knoten 1", "pg_1", "witness", "sun9"),
)
RESULTS = (
    *("milestone", "milestone_stats", "phase", "phase_stats", "measurement", "measurement_stats", "run", "run_outcome"),
    *("recovery", "node_loss", "incident", "outage", "dip", "fault_estimate", "log_format", "effect", "parameter"),
)
ABOUT_FILES = re.compile(
    r"(?:.*_)?(?:file_id|line_no|part|file|path|files|lines|observers)|.*(?:node|host|_keys?)|text|label"
)
"""Columns that hold names of nodes and files, or where in a file a line is."""


def results(store: Path) -> list[str]:
    with duckdb.connect(str(store), read_only=True) as con:
        found = con.execute("select table_name from information_schema.tables where table_schema = 'main'").fetchall()
    names = [each for each in RESULTS if (each,) in found]
    assert {"milestone", "phase_stats", "measurement"} <= set(names)
    return names


def rows(store: Path, relation: str) -> list[str]:
    with duckdb.connect(str(store), read_only=True) as con:
        columns = [row[0] for row in con.execute(f'describe main."{relation}"').fetchall()]
        kept = ", ".join(f'"{name}"' for name in columns if not ABOUT_FILES.fullmatch(name))
        return (
            [str(row) for row in con.execute(f'select {kept} from main."{relation}" order by all').fetchall()]
            if kept
            else []
        )


def differing(store: Path, other: Path, names: Sequence[str]) -> list[str]:
    return [name for name in names if rows(store, name) != rows(other, name)]


@pytest.fixture(scope="module", params=NODES)
def sample(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The name of a sample, and its store as it is."""
    return str(request.param), sample_store(str(request.param), tmp_path_factory)


def test_names_of_node_folders_change_no_number(sample: tuple[str, Path], tmp_path: Path) -> None:
    """In every other sample a node has other names in other runs."""
    name, store = sample
    is_alike_in_runs = list(NODES).index(name) % 2 == 0
    chance, study, renamed = random.Random(name), tmp_path / name, tmp_path / "renamed.duckdb"  # noqa: S311  no secret
    unpack(name, study)
    fixed = dict(zip(NODES[name], chance.sample(NAMES, len(NODES[name])), strict=True))
    for folder, inside, _ in os.walk(study, topdown=False):
        drawn = dict(zip(fixed, chance.sample(NAMES, len(fixed)), strict=True))
        for each in set(inside) & fixed.keys():
            Path(folder, each).rename(Path(folder, (fixed if is_alike_in_runs else drawn)[each]))
    ingest(study, renamed)
    assert not list(study.rglob(NODES[name][0]))
    assert differing(store, renamed, results(store)) == []


SPELLINGS: Sequence[Callable[[int, str], str]] = (
    lambda number, host: f"{host}.dc{number}.example.com",
    lambda number, _: f"db.dc{number}.example.com",
    lambda _, host: host.upper(),
)
"""Hosts by their full names at two sites, with one short name for all, in capitals."""


@pytest.mark.parametrize(
    ("name", "spelling"),
    [*zip(("drbd-2005", "failover-2004", "failover-modern"), SPELLINGS, strict=True)],
    ids=["at sites", "one name", "capitals"],
)
def test_names_of_hosts_change_no_result(
    name: str, spelling: Callable[[int, str], str], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    store = sample_store(name, tmp_path_factory)
    study, renamed = tmp_path / name, tmp_path / "renamed.duckdb"
    unpack(name, study)
    rename(study, {host: spelling(number, host) for number, host in enumerate(NODES[name], 1)})
    ingest(study, renamed)
    assert differing(store, renamed, [each for each in results(store) if each != "parameter"]) == []
    with duckdb.connect(str(renamed), read_only=True) as con:
        nodes = {
            node.lower()
            for (node,) in con.execute("select distinct node from source_file where node is not null").fetchall()
        }
    assert len(nodes - {"client"}) == len(NODES[name])


def rename(study: Path, names: dict[str, str]) -> None:
    """Hosts in all files and folders of a study."""
    host = re.compile("|".join(rf"(?<![\w.-]){re.escape(each)}(?![\w-]|\.[a-z])" for each in names).encode())
    new = {old.encode(): text.encode() for old, text in names.items()}
    for path in sorted(study.rglob("*"), reverse=True):
        if path.is_file():
            path.write_bytes(host.sub(lambda found: new[found[0]], path.read_bytes()))
        if path.name in names:
            path.rename(path.with_name(names[path.name]))
