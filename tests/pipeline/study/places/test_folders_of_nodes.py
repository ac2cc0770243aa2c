import pytest

from pipeline.study.places.folders_of_nodes import PlacedFile, folders_of_nodes


def placed(path: str, *, run: bool = True, archive: bool = False) -> PlacedFile:
    """A file of `node/below/name`, or of `name` in no folder of a node."""
    *folders, name = path.split("/")
    node = ("run1", folders[0]) if folders else None
    return PlacedFile(("run1",), run, node, tuple(folders[1:]), name, archive)


@pytest.mark.parametrize(
    ("files", "plain"),
    [
        pytest.param([placed("A/Evidence/pg.log"), placed("A/m"), placed("B/m")], {"A"}, id="beside other logs"),
        pytest.param([placed("A/Evidence/pg.log"), placed("summary.csv")], {"A"}, id="beside other files of the run"),
        pytest.param([placed("A/x/m", archive=True), placed("B/y/m", archive=True)], {"A", "B"}, id="in archives"),
        pytest.param([placed("A/tuned/m"), placed("B/tuned/m")], set(), id="all of the run"),
        pytest.param([placed("A/before/vmstat"), placed("A/after/vmstat"), placed("A/m")], set(), id="of equal files"),
        pytest.param([placed("A/tuned/m", run=False), placed("B/tuned/m", run=False)], set(), id="of both nodes"),
        pytest.param([placed("A/x/m", run=False), placed("B/m", run=False)], {"A"}, id="of one node, without a run"),
        pytest.param([placed("A/x/m", run=False), placed("B/y/m", run=False)], {"A", "B"}, id="of each its own"),
        pytest.param([placed("A/tuned/m", run=False), placed("A/m", run=False)], set(), id="of the only node"),
    ],
)
def test_folders_within_nodes(files: list[PlacedFile], plain: set[str]) -> None:
    assert {each[-1] for each in folders_of_nodes(files)} == plain
