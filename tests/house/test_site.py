"""The documentation as a site: links are followed, and dead ones are named."""

from pathlib import Path

from docs import site

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
