"""Two speeds of proof: the fast rooms run in `make test`, tests/campaign and long searches in `make campaign`.

Which test is in which follows from its folder. A property (a test by hypothesis) of a fast room runs in both, with few
examples and with many, the same in every run: no run fails by chance. `--hypothesis-profile=search` tries others.
"""

import math
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from samples.simulate import __main__ as generator

OWN_ROOMS = ("parsers", "pipeline", "reports")


def _divide(column: pl.Expr, by: object, divide: Callable[[pl.Expr, Any], pl.Expr] = pl.Expr.__truediv__) -> pl.Expr:
    """Refuse what `parsers.division` is for: a quotient whose last bit depends on the number of rows."""
    caller = sys._getframe(1).f_globals.get("__name__", "").partition(".")[0]
    if isinstance(by, int | float) and caller in OWN_ROOMS and math.frexp(by)[0] != 0.5:
        raise AssertionError(f"a column is divided by {by}: use parsers.division.divided")
    return divide(column, by)


pl.Expr.__truediv__ = _divide  # type: ignore[method-assign]  # for the time of the tests

TESTS = Path(__file__).parent
CAMPAIGN = TESTS / "campaign"
OUT_OF_TIME = "the time that --until gives this run was over"

# How fast an example is depends on what else the machine does: no deadline.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", unhurried, max_examples=10, derandomize=True, database=None)
settings.register_profile("full", unhurried, max_examples=100, derandomize=True, database=None, print_blob=True)
settings.register_profile("search", unhurried, max_examples=1000, print_blob=True)  # a failure prints how to repeat it
settings.load_profile("quick")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of `make campaign`."""
    parser.addoption(
        "--campaign", action="store_true", help="run tests/campaign and the properties of all rooms, and nothing else"
    )
    parser.addoption(
        "--until", type=int, help="skip the tests that have not begun at this time, in seconds since 1970 (`date +%%s`)"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Write the simulated samples that git does not hold."""
    if not hasattr(config, "workerinput"):
        generator.write_missing()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test, before its fixtures are made, when the time of the run is over."""
    until = item.config.getoption("until")
    if until is not None and time.time() >= until:
        pytest.skip(OUT_OF_TIME)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests were not run for want of time."""
    late = [each for each in terminalreporter.stats.get("skipped", []) if OUT_OF_TIME in str(each.longrepr)]
    if late:
        terminalreporter.write_line(f"NOT RUN: {len(late)} tests, first {late[0].nodeid}: {OUT_OF_TIME}", red=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose what the campaign adds; keep tests that share a fixture of their file in one process."""
    if config.getoption("campaign"):
        config.hook.pytest_deselected(items=[item for item in items if not _is_added(item)])
        items[:] = [item for item in items if _is_added(item)]
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("xdist_group") is None:
            shared = [found[-1] for found in item._fixtureinfo.name2fixturedefs.values() if _is_shared(found[-1])]
            if shared:  # two processes would each build the same store or report
                numbers = item.callspec.indices if hasattr(item, "callspec") else {}
                made = sorted(f"{each.argname} {numbers[each.argname]}" for each in shared if each.params)
                item.add_marker(pytest.mark.xdist_group(" ".join([item.path.relative_to(TESTS).as_posix(), *made])))


def _is_added(item: pytest.Item) -> bool:
    """Whether the campaign runs a test besides `make test`."""
    return item.path.is_relative_to(CAMPAIGN) or (
        isinstance(item, pytest.Function) and is_hypothesis_test(item.obj)  # its plugin adds the marker later
    )


def _is_shared(fixture: "pytest.FixtureDef[object]") -> bool:
    """Whether a fixture is one of these tests that outlives a test."""
    return fixture.scope in {"module", "session"} and Path(fixture.func.__code__.co_filename).is_relative_to(TESTS)
