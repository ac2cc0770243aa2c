"""Stores to report on, and one report for all tests that only look at it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import study_store
from tests.support.written_report import HOSTILE, written

__all__ = ["hostile", "make_store", "written"]

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
