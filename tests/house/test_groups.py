"""Tests that share what a fixture of their file made run in one process, so that it is made once."""

import pytest


@pytest.fixture(scope="module")
def shared() -> object:
    """What outlives a test."""
    return object()


@pytest.mark.usefixtures("shared")
def test_the_group_of_a_test_reaches_the_scheduler(request: pytest.FixtureRequest) -> None:
    """pytest-xdist schedules by the end of a test's name; pytest 9.2 does not let it change the name."""
    if not request.config.getoption("loadgroup", default=False):
        pytest.skip("asked of the processes of `pytest -n 2 --dist loadgroup`, as `make test` runs it")
    assert request.node.nodeid.endswith("@house/test_groups.py")
