"""What marks of figures say, and which resources share a box."""

import pytest

from reports.figures import marks
from reports.figures.dependency.data import Need, Resource
from reports.figures.dependency.fold import MOST_BOXES, folded


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param({"run_no": 2, "run": "run2"}, {"run_no": 10, "run": "run10"}, id="by number, not by text"),
        pytest.param({"run_no": None, "run": "a"}, {"run_no": None, "run": "b"}, id="without numbers by name"),
    ],
)
def test_runs_are_in_their_order(first: dict[str, object], second: dict[str, object]) -> None:
    assert marks.place_of(first) < marks.place_of(second)


def test_a_value_names_its_line_where_it_has_one() -> None:
    assert marks.line_of({"path": "a/b.log", "line_no": 7}) == ", a/b.log:7"
    assert marks.line_of({"path": None, "line_no": None}) == ""


def test_a_phase_of_less_than_half_of_the_runs_is_rare() -> None:
    assert [marks.is_rare({"runs": runs}, 11) for runs in (1, 5, 6, 11)] == [True, True, False, False]


def mounts(count: int) -> list[Resource]:
    return [Resource(f"fs{i}", "Mount") for i in range(1, count + 1)]


def test_alike_resources_are_one_box() -> None:
    resources = [Resource("db2", "Db2udb"), *mounts(86), Resource("dg", "DiskGroup")]
    needs = [need for each in mounts(86) for need in (Need("db2", each.name), Need(each.name, "dg"))]
    found = folded(resources, needs)
    assert {name: len(members) for name, members in found.boxes.items()} == {"db2": 1, "fs1": 86, "dg": 1}
    assert found.edges == (("db2", "fs1"), ("fs1", "dg"))


def test_a_few_stay_boxes_of_their_own() -> None:
    assert len(folded(mounts(3), []).boxes) == 3
    assert len(folded(mounts(4), []).boxes) == 1


def test_one_with_a_need_of_its_own_stays_apart() -> None:
    found = folded([*mounts(5), Resource("vol", "Volume")], [Need("fs3", "vol")])
    assert {name: len(members) for name, members in found.boxes.items()} == {"fs1": 4, "fs3": 1, "vol": 1}


def test_pairs_are_folded_where_there_are_too_many_to_draw() -> None:
    def drawn(pairs: int) -> int:
        volumes = [Resource(f"vol{i}", "Volume") for i in range(1, pairs + 1)]
        needs = [Need(f"fs{i}", f"vol{i}") for i in range(1, pairs + 1)]
        return len(folded([*mounts(pairs), *volumes], needs).boxes)

    assert drawn(MOST_BOXES // 2) == MOST_BOXES
    assert drawn(MOST_BOXES // 2 + 1) == 2


def test_one_type_is_one_box_where_nothing_else_helps() -> None:
    chain = mounts(60)
    found = folded(chain, [Need(f"fs{i}", f"fs{i + 1}") for i in range(1, 60)])
    assert {name: len(members) for name, members in found.boxes.items()} == {"fs1": 60}
    assert found.edges == ()
