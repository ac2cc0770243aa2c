"""Relations that are filled group by group are those that are filled at once: so their headers declare the truth."""

import os
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipeline.ingest import distributed_relations
from pipeline.ingest.ingest import ingest
from pipeline.ingest.layout import Layout
from pipeline.memory import MEBIBYTE
from pipeline.store import rows_by_group, store
from tests.support.cluster_here import ClusterHere
from tests.support.ingest_study import NOW
from tests.support.same_rows import comments, different

SAMPLES = Path(__file__).parents[3] / "samples"
CHOSEN = os.environ.get("HALEDGER_LAYOUT_SAMPLES", "failover-modern nfs-fcp-2009 oltp-cluster-2003").split()
"""Samples to be filled in both ways; `all` for every one."""


def by_group(study: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, int]:
    """A store whose relations are filled group by group; and how many groups there were."""
    monkeypatch.setattr(rows_by_group, "GROUP_LINES", 1)
    cluster = ClusterHere()
    db = folder / "groups.duckdb"
    ingest(study, db, now=NOW, cluster=cluster, layout=Layout("parquet", folder / "parts"))  # type: ignore[arg-type]  # all that is asked of a cluster
    return db, cluster.counts["fill_group"]


def at_once(study: Path, folder: Path) -> Path:
    db = folder / "once.duckdb"
    ingest(study, db, now=NOW)
    return db


@pytest.mark.parametrize(
    "name", sorted(each.name for each in SAMPLES.iterdir() if each.is_dir()) if CHOSEN == ["all"] else CHOSEN
)
def test_relations_of_a_sample_filled_by_configuration_are_those_of_the_whole(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    db, groups = by_group(SAMPLES / name, tmp_path, monkeypatch)
    expected = at_once(SAMPLES / name, tmp_path)
    with store.opened(expected) as con:
        trees = "count(distinct split_part(configuration, '/', 1))"
        ((count,),) = con.execute(f"select {trees} from source_file where configuration is not null").fetchall()
    assert groups == (count if count > 1 else 0)
    assert different(expected, db) == []
    assert comments(db) == comments(expected)


def test_files_that_speak_for_all_configurations_are_seen_by_each_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What resources are, in the folder of the study; and measurements of a configuration that has no other file."""
    study = tmp_path / "study"
    shutil.copytree(SAMPLES / "failover-modern", study)
    (study / "tuned/main.cf").unlink()
    (study / "default/main.cf").rename(study / "main.cf")
    (study / "results.csv").write_text("configuration,run,tps\ndefault,1,100\ndefault,2,110\nelsewhere,1,90\n")
    db, groups = by_group(study, tmp_path, monkeypatch)
    assert groups == 3
    with store.opened(db) as con:
        types = con.execute("select configuration, count(*) from resource_type group by all order by all").fetchall()
        units = con.execute("select configuration from run_unit where configuration = 'elsewhere'").fetchall()
    assert {name for name, _ in types} >= {"default", "tuned"}
    assert units == [("elsewhere",)]
    assert different(at_once(study, tmp_path), db) == []


def test_a_group_with_lines_too_long_for_its_memory_is_filled_with_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = tmp_path / "study"
    for day, configuration in enumerate(("default", "tuned"), start=1):  # of one time, they might be copies
        head = f"2024/03/0{day} 10:{{:02}}:{{:02}} VCS INFO V-16-1-10322 System node1 (Node '0') changed state "
        log = study / configuration / "run1/node1/engine_A.log"
        log.parent.mkdir(parents=True)
        # no two messages are alike
        lines = (head.format(*divmod(each, 60)) + f"{configuration}{each} " * 4000 for each in range(300))
        log.write_text("".join(f"{each}\n" for each in lines))
    limits: list[str] = []
    show = distributed_relations._show

    def shown(con: duckdb.DuckDBPyConnection, *args: Any) -> None:
        limits.extend(con.execute("select current_setting('memory_limit')").fetchone() or ())
        show(con, *args)

    monkeypatch.setattr(distributed_relations, "_show", shown)
    monkeypatch.setattr(distributed_relations, "GROUP_MEMORY", 30_000_000)
    monkeypatch.setattr(distributed_relations, "free_bytes", lambda: 2_000 * MEBIBYTE)
    monkeypatch.setattr(ClusterHere, "most_beside", 3)
    db, groups = by_group(study, tmp_path, monkeypatch)
    assert groups == 2
    assert limits == ["28.6 MiB", "500.0 MiB"] * 2  # three at a time leave a fourth of what is free
    assert different(at_once(study, tmp_path), db) == []
