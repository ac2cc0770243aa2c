"""The report that the tests of the page in a browser look at."""

from tests.support.written_report import written

__all__ = ["written"]
