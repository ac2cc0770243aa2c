"""A release gathers the changes, and pages print the addresses of one place."""

import pytest

from docs import release

CHANGELOG = "# Changelog\n\nNewest first.\n\n{}## 0.1.0 – 2026-01-01\n\nNew\n\n- `old`.\n"
FRAGMENTS = ["Fixed\n\n- `b`: mended.\n", "Numbers that change\n\n- `c`: when.\n\nFixed\n\n- `d`:\n  mended too.\n"]


@pytest.mark.parametrize(
    ("unreleased", "new"),
    [
        pytest.param("", "", id="after a release"),
        pytest.param(
            "## Unreleased\n\nNew\n\n- `a`.\n\nFixed\n\n- `z`.\n\n", "New\n\n- `a`.\n\n", id="an open section"
        ),
        pytest.param(
            "## 0.2.0 – 2026-02-01\n\nNew\n\n- `a`.\n\nFixed\n\n- `z`.\n\n",
            "New\n\n- `a`.\n\n",
            id="cut, without a tag",
        ),
    ],
)
def test_changes_are_gathered_by_kind_below_the_release(unreleased: str, new: str) -> None:
    changelog = release.gathered(CHANGELOG.format(unreleased), FRAGMENTS, "0.2.0", "2026-02-02")
    mended = "- `z`.\n" if unreleased else ""
    section = (
        f"## 0.2.0 – 2026-02-02\n\nNumbers that change\n\n- `c`: when.\n\n{new}"
        f"Fixed\n\n{mended}- `b`: mended.\n- `d`:\n  mended too.\n\n"
    )
    assert changelog == CHANGELOG.format(section)


def test_pages_print_the_addresses_and_the_number_of_today() -> None:
    assert [path.name for path, text in release.pages().items() if path.read_text() != text] == []


def test_every_change_has_the_form_that_is_gathered() -> None:
    fragments = [path.read_text() for path in release.fragments()]
    assert [text for text in fragments if not text.startswith(release.KINDS)] == []
