"""What the tests of reports look at: a store of a study and one written report, as in the fast room; a browser."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.reports.conftest import make_store
from tests.support import browser
from tests.support.written_report import written

__all__ = ["make_store", "written"]


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser with one page, for all tests of a file."""
    with browser.opened(tmp_path_factory.mktemp("profile")) as opened:
        yield opened
