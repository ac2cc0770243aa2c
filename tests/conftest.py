"""What holds for all tests."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("unhurried", deadline=None)  # how fast an example is depends on what else the machine does
settings.load_profile("unhurried")

TESTS = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep tests that share a fixture of their file in one process: two would each build the same store or report."""
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("xdist_group") is None:
            shared = [found[-1] for found in item._fixtureinfo.name2fixturedefs.values() if _is_shared(found[-1])]
            if shared:
                numbers = item.callspec.indices if hasattr(item, "callspec") else {}
                made = sorted(f"{each.argname} {numbers[each.argname]}" for each in shared if each.params)
                item.add_marker(pytest.mark.xdist_group(" ".join([item.path.relative_to(TESTS).as_posix(), *made])))


def _is_shared(fixture: "pytest.FixtureDef[object]") -> bool:
    """Whether a fixture is one of these tests that outlives a test."""
    return fixture.scope in {"module", "session"} and Path(fixture.func.__code__.co_filename).is_relative_to(TESTS)
