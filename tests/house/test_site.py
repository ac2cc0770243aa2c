"""The documentation as a site: links are followed, and dead ones are named."""

from pathlib import Path

import pytest

from docs import release, site

ROOT = Path(__file__).parents[2]


def test_dead_links_are_those_to_no_page_file_or_heading(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<h2 id="here">A</h2><a href="#here">1</a><a href="#gone">2</a><a href="b.html#x">3</a><a href="b.html#y">4</a>'
        '<a href="c.html">5</a><a href="https://elsewhere.invalid/">6</a><img src="p.png">'
    )
    (tmp_path / "b.html").write_text('<a id="x" href="a.html">1</a>')
    assert site.dead_links(tmp_path) == ["a.html: #gone", "a.html: b.html#y", "a.html: c.html", "a.html: p.png"]


def test_every_page_is_in_the_navigation_and_leads_out_of_the_site_nowhere(tmp_path: Path) -> None:
    site.sources(tmp_path)
    listed = site.configuration()
    pages = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.md")]
    assert len(pages) > 50
    assert [page for page in pages if f'"{page}"' not in listed] == []
    assert [page for page in pages if "](../samples" in (tmp_path / page).read_text()] == []
    assert "](tutorial.md)" in (tmp_path / "index.md").read_text()
    assert "](../decisions" not in (tmp_path / "index.md").read_text()


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
