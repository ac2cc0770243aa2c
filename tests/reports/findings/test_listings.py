"""The listing of main.cf: what the store holds of it reads as the product writes it."""

from pathlib import Path

import pytest

from pipeline.ingest.ingest import ingest
from reports.document.attachments import attachments
from reports.document.document import compose
from reports.findings import cluster
from reports.findings.listings import listings
from reports.study.store import Row, opened
from reports.study.view import StudyView

# REAL in form: written as the product's own files, after the reference of VCS
MAIN_CF = """\
include "types.cf"

cluster c1 (
	UserNames = { admin = "aBcDeF12345" }
	)

system a (
	)

group top (
	SystemList = { a = 0, b = 1 }
	)

	IP vip (
		Device @a = hme0
		Device @b = qfe0
		Address = "10.0.35.128"
		)

	NIC card (
		Device = hme0
		)

	requires group under online local firm
	vip requires card

group under (
	Parallel = 1
	)
"""
LISTED = (
    MAIN_CF.removeprefix('include "types.cf"\n\n')
    .replace('"aBcDeF12345"', "********")
    .replace("system a (\n\t)\n\n", "")
    .replace("card\n\ngroup", "card\ngroup")
)
"""What decides how the cluster behaves, secrets masked: no files that are included, no empty section."""


@pytest.mark.parametrize("tuned", [MAIN_CF, MAIN_CF.replace("hme0", "eri0")])
def test_every_different_main_cf_is_listed_once_and_attached(tmp_path: Path, tuned: str) -> None:
    for configuration, text in (("default", MAIN_CF), ("tuned", tuned)):
        (tmp_path / "study" / configuration).mkdir(parents=True)
        (tmp_path / "study" / configuration / "main.cf").write_text(text)
    ingest(tmp_path / "study", tmp_path / "haledger.duckdb")
    with opened(tmp_path / "haledger.duckdb") as store:
        study = StudyView(store)
        found = listings(study)
        attached = attachments(compose(study, {}, {}))["main.cf.txt"].content.decode()
    assert found[0].text == LISTED
    is_same = tuned == MAIN_CF
    assert [each.labels for each in found] == ([("default", "tuned")] if is_same else [("default",), ("tuned",)])
    assert attached.count("cluster c1 (") == len(found)
    assert "aBcDeF" not in attached


def resource(name: str, resource_type: str) -> Row:
    return {"group": "db", "resource": name, "resource_type": resource_type}


def needs(parent: str, child: str) -> Row:
    return {"dependency_kind": "resource", "group": "db", "parent": parent, "child": child, "mode": None}


def tree(resources: list[Row], dependencies: list[Row]) -> list[tuple[int, str, int]]:
    return [(line.depth, line.names, line.count) for line in cluster._tree("db", resources, dependencies)]


def test_parents_stand_above_what_they_need() -> None:
    resources = [resource("dg", "DiskGroup"), resource("fs", "Mount"), resource("db2", "Db2udb")]
    assert tree(resources, [needs("db2", "fs"), needs("fs", "dg")]) == [(0, "db2", 1), (1, "fs", 1), (2, "dg", 1)]


def test_alike_resources_are_one_line() -> None:
    mounts = [f"fs{i}" for i in range(1, 6)]
    resources = [resource("db2", "Db2udb"), resource("dg", "DiskGroup"), *(resource(name, "Mount") for name in mounts)]
    dependencies = [*(needs("db2", name) for name in mounts), *(needs(name, "dg") for name in mounts)]
    assert tree(resources, dependencies) == [(0, "db2", 1), (1, "fs1 … fs5", 5), (2, "dg", 1)]


def test_a_ring_ends() -> None:
    assert tree([resource("a", "X"), resource("b", "X")], [needs("a", "b"), needs("b", "a")]) == [
        (0, "b", 1),
        (0, "a", 1),
    ]
