"""Stores to report on, and one report for all tests that only look at it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipeline.ingest.ingest import ingest
from reports.study.store import opened
from reports.study.view import StudyView
from tests.support import study_store
from tests.support.written_report import HOSTILE, written

__all__ = ["hostile", "make_store", "planned", "written"]

Maker = Callable[..., Path]


@pytest.fixture
def make_store(tmp_path: Path) -> Maker:
    """Write the paper's study with some fields changed."""

    def make(**changes: object) -> Path:
        return study_store.write(tmp_path / "store.duckdb", study_store.paper(**changes))

    return make


@pytest.fixture(scope="session")
def hostile() -> str:
    return HOSTILE


@pytest.fixture(scope="session")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyView]:
    """The sample study of HADR planning."""
    store = tmp_path_factory.mktemp("planned") / "haledger.duckdb"
    ingest(Path(__file__).parents[2] / "samples" / "hadr-simulator-2009", store)
    with opened(store) as connection:
        yield StudyView(connection)
