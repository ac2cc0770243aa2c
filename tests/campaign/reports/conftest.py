"""What the tests of reports look at, as in the fast room: a store of a study, and one written report."""

from tests.reports.conftest import make_store
from tests.support.written_report import written

__all__ = ["make_store", "written"]
