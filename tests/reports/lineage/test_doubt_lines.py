"""A doubt leads to the lines that decided it: listed on the page, at the address of its link."""

from collections.abc import Callable
from pathlib import Path

from reports.document.report import write_report

Maker = Callable[..., Path]


def test_a_doubt_with_a_line_is_a_link_to_its_list(make_store: Maker, tmp_path: Path) -> None:
    write_report(make_store(findings=[("warning", "odd")]), tmp_path, formats=["html"])
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    where = "default/run01/engine_A.log:3"
    assert f'<a class="to-runs" href="#doubt-1"><code>{where}</code></a>' in page
    listed = page.partition('id="doubt-1"')[2].partition("</table>")[0]
    assert f"<code>{where}</code>" in listed
