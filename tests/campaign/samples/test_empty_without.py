"""Relations that are not computed where the tables that they name are empty: nothing must be lost by that."""

import shutil
from functools import cache
from pathlib import Path

import duckdb
import pytest

from parsers.format import tables
from pipeline.failover.step import steps
from pipeline.ingest.ingest import ingest
from pipeline.store import relations
from pipeline.store.log_tables import line_relation
from tests.support.hand_made import Ledger
from tests.support.sample import sample_store

SAMPLES = Path(__file__).parents[3] / "samples"
STUDIES = ("failover-modern", "pacemaker-postgresql", "hadr-simulator-2009", "leaders/redis-sentinel")
"""With rows of all families of stacks, benchmarks, disks, clients and the simulator."""

TOXIPROXY = Path(__file__).parents[1] / "pipeline" / "toxiproxy"
HISTORY = """\
{:type :invoke, :f :read, :value nil, :process 0, :time 1000000000}
{:type :ok, :f :read, :value nil, :process 0, :time 1010000000}
"""

READ = {name for step in steps().values() for name in step.evidence}
TELLING = [
    each
    for each in relations.catalogue()
    if each.empty_without and (each.materialised is not None or each.name in READ)
]

LINES = {f"log.{each.name}": line_relation(each) for each in tables().values()}
"""Where the lines of a relation are; a relation of lines and texts is a view."""


@cache
def rests_on(name: str) -> frozenset[str]:
    """All relations that one reads, however far away."""
    (relation,) = (each for each in relations.catalogue() if each.name == name)
    known = {each.name for each in relations.catalogue()} & relation.reads - {name}
    return frozenset(known).union(*(rests_on(each) for each in known))


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Stores of this module's own: a shared one that is open for writing is locked for every other test."""
    folder = tmp_path_factory.mktemp("own")
    found = [
        Path(shutil.copy(sample_store(study, tmp_path_factory), folder / f"{number}.duckdb"))
        for number, study in enumerate(STUDIES)
    ]
    return [*found, injected(folder)]


def injected(folder: Path) -> Path:
    """A study with faults that tools injected."""
    shutil.copytree(TOXIPROXY, folder / "study" / "run1")
    history = folder / "study" / "store" / "20260301T100000.000+0000" / "history.edn"
    history.parent.mkdir(parents=True)
    history.write_text(HISTORY)
    ingest(folder / "study", folder / "injected.duckdb")
    return folder / "injected.duckdb"


def test_names_are_of_tables_that_are_filled_before() -> None:
    con = Ledger().build()
    named = "select schema_name || '.' || table_name from duckdb_tables()"
    known = {name for (name,) in con.execute(named).fetchall()} | LINES.keys() | {*relations.GIVEN}
    materialised = {each.name for each in relations.catalogue() if each.materialised is not None}
    for relation in TELLING:
        for name in {each.split()[0] for names in relation.empty_without for each in names}:
            assert name in known | (materialised & rests_on(relation.name)), relation.name


def test_statement_gives_no_row_without_rows_of_the_tables_named(stores: list[Path]) -> None:
    filled = set()
    for db in stores:
        with duckdb.connect(str(db)) as con:
            for relation in TELLING:
                if not con.sql(f"select 1 from main.{relation.name} limit 1").fetchall():
                    continue
                filled.add(relation.name)
                for names in relation.empty_without:
                    con.execute("begin")
                    for rows in names:
                        con.execute(f"delete from {LINES.get(rows, rows)}")
                    assert con.sql(f"select count(*) from ({relation.sql})").fetchall() == [(0,)], (
                        relation.name,
                        names,
                    )
                    con.execute("rollback")
    # no rate has a course, none declares milestones; every other table must have been seen to need its rows
    unseen = {"milestone_rule_line", "warm_up"}
    assert {each.name for each in TELLING if each.materialised is not None} - filled == unseen
