from collections.abc import Sequence
from typing import Any

import pytest

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.incident.identities import CopiedUnit, LogPath, UnitContent, copied_unit, incident
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from tests.support.evidence_rows import at, row

DAY = 86_400
LINES = 10
FIRST, SECOND, THIRD = 0, DAY, 2 * DAY
"""Losses, by when they are declared."""


class Logs:
    """What units hold: the losses, each with its lines."""

    def __init__(self) -> None:
        self.incidents: list[Incident] = []
        self.evidence: list[NodeLossEvidence] = []
        self.lines: list[ClusterLine] = []
        self.files: list[LogPath] = []

    def hold(
        self,
        unit: str | None,
        *losses: float,
        configuration: str = "a",
        path: str = "messages",
        lines: Sequence[int] = range(LINES),
        **more: Any,
    ) -> "Logs":
        file_id = len(self.files) + 1
        self.files.append(LogPath(configuration, file_id, path))
        place = {"configuration": configuration, "unit_run": unit, "file_id": file_id}
        for number, second in enumerate(losses, start=1):
            line_no = {"line_no": int(second) + 1}
            known = {"lost_key": "alder", "loss_at": at(second), "end_at": at(second + 3600), "loss_no": number}
            self.incidents.append(row(Incident, run_no=None, **place, **line_no, **(known | more)))
            self.evidence.append(row(NodeLossEvidence, second, lost_key="alder", is_decisive=True, **place, **line_no))
            self.lines += [
                row(ClusterLine, second + i, kind=f"kind {second} {i}", line_no=int(second) + i + 1, **place)
                for i in lines
            ]
        return self

    def runs(self) -> list[tuple[str, str | None]]:
        found = incident(self.incidents, self.evidence, self.lines, self.files)
        return [(f"{each.configuration}/{each.run}", each.same_as) for each in found]


def test_losses_of_different_lines_are_different_runs() -> None:
    logs = Logs().hold("run01", FIRST).hold("run02", SECOND).hold("run01", FIRST + 1, configuration="b")
    assert logs.runs() == [("a/run01", None), ("a/run02", None), ("b/run01", None)]


@pytest.mark.parametrize(
    ("copy", "name"),
    [
        pytest.param({"unit": "run09"}, "a/run09", id="under another name"),
        pytest.param({"unit": "run01", "configuration": "b"}, "b/run01", id="in another configuration"),
        pytest.param({"unit": None, "configuration": "b"}, "b/1", id="without folders"),
        pytest.param({"unit": "run09", "lines": [0, *range(2, LINES)]}, "a/run09", id="touched"),
        pytest.param({"unit": "run09", "lines": [0, 1, 2]}, "a/run09", id="cut"),
        pytest.param({"unit": "backup"}, "a/backup", id="by its name before the original"),
        pytest.param({"unit": "old", "path": "old.tar!/messages"}, "a/old", id="in an archive"),
    ],
)
def test_copies_say_which_run_counts(copy: dict[str, Any], name: str) -> None:
    logs = Logs().hold(copy.pop("unit"), FIRST, **copy).hold("run01", FIRST).hold("run02", SECOND)
    assert dict(logs.runs()) == {"a/run01": None, "a/run02": None, name: "a/run01"}


def test_years_are_guessed_and_do_not_tell_copies_from_others() -> None:
    logs = Logs().hold("run01", FIRST)
    later = [
        *(each._replace(at=each.at.replace(year=each.at.year + 4)) for each in logs.lines),
    ]
    copy = Logs().hold("run02", FIRST)
    shifted = copy.incidents[0]._replace(
        loss_at=at(FIRST).replace(year=at(FIRST).year + 4), end_at=at(3600).replace(year=at(0).year + 4), file_id=2
    )
    lines = [each._replace(unit_run="run02", file_id=2) for each in later]
    found = incident([*logs.incidents, shifted], logs.evidence, [*logs.lines, *lines], logs.files)
    assert [each.same_as for each in found] == [None, "a/run01"]


def test_same_stamp_of_other_lines_is_another_loss() -> None:
    logs = Logs().hold("run01", FIRST).hold("run02", FIRST, lines=[0])
    other = [row(ClusterLine, i, kind=f"other {i}", unit_run="run02", file_id=2, line_no=50 + i) for i in range(1, 9)]
    logs.lines += other
    assert logs.runs() == [("a/run01", None), ("a/run02", None)]


CUMULATIVE = [
    pytest.param([[FIRST], [FIRST, SECOND], [FIRST, SECOND, THIRD]], id="all since the morning"),
    pytest.param([[FIRST], [FIRST, SECOND], [SECOND, THIRD]], id="the oldest rotated away"),
    pytest.param([[FIRST, SECOND, THIRD], [SECOND, THIRD], [THIRD]], id="all until the evening"),
]


@pytest.mark.parametrize("folders", CUMULATIVE)
def test_folders_of_cumulative_logs_have_what_is_new_in_each(folders: list[list[int]]) -> None:
    logs = Logs()
    for number, losses in enumerate(folders, start=1):
        logs.hold(f"run0{number}", *losses)
    found = incident(logs.incidents, logs.evidence, logs.lines, logs.files)
    runs = {each.run: each.loss_at for each in found if not each.is_extra}
    assert runs == {"run01": at(FIRST), "run02": at(SECOND), "run03": at(THIRD)}
    assert all((each.same_as is not None) == each.is_extra for each in found)


def test_what_is_new_and_further_is_of_its_folder() -> None:
    """A second failover back within a run, in cumulative logs."""
    back = FIRST + 600
    logs = Logs().hold("run01", FIRST, back).hold("run02", FIRST, back, SECOND)
    assert logs.runs() == [
        ("a/run01", None),
        ("a/run01#2", None),
        ("a/run02", None),
        ("a/run02#2", "a/run01"),
        ("a/run02#3", "a/run01#2"),
    ]


def test_copy_of_a_folder_of_cumulative_logs_is_the_run_that_the_folder_is() -> None:
    logs = Logs().hold("run01", FIRST).hold("run02", FIRST, SECOND).hold("run03", FIRST, SECOND)
    assert dict(logs.runs())["a/run03"] == "a/run02"


def test_group_without_folders_keeps_its_numbers() -> None:
    logs = Logs().hold(None, FIRST, SECOND).hold(None, FIRST, SECOND, THIRD, configuration="b")
    assert logs.runs() == [("a/1", None), ("a/2", None), ("b/1", "a/1"), ("b/2", "a/2"), ("b/3", None)]


def test_units_of_the_same_files_are_copies_unless_these_are_small() -> None:
    contents = [("run01", "x", 900), ("run02", "y", 900), ("run03", "x", 900), ("run04", "z", 9), ("run05", "z", 9)]
    assert list(copied_unit([UnitContent("a", *each) for each in contents])) == [CopiedUnit("a", "run03", "a", "run01")]
