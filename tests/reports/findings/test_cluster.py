from reports.findings import cluster
from reports.study.store import Row


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
