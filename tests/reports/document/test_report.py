import base64
import hashlib
import re
import shutil
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import duckdb
import pypdf
import pytest

from pipeline.ask.check.check import check
from pipeline.discovery.entry_names import STORE_NAME
from pipeline.errors import UsageError
from pipeline.ingest.ingest import ingest
from reports.document.folder import changed_files, rebuilt
from reports.document.report import ReportResult, write_report
from tests.support.failover_logs import one_failover, write

Maker = Callable[..., Path]

PLEX = {
    "IBM-Plex-Mono",
    "IBM-Plex-Sans",
    "IBM-Plex-Sans-Semi-Bold",
    "IBM-Plex-Serif",
    "IBM-Plex-Serif-Italic",
    "IBM-Plex-Serif-Semi-Bold",
}


class Loads(HTMLParser):
    """Collects what a page would load, and its policy."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.policy = ""
        self.inline_handlers: list[str] = []
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.scripts += tag == "script"
        self.inline_handlers += [name for name in values if name.startswith("on") or name == "style"]
        if tag == "meta" and values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"] or ""
        if tag != "a":
            self.loads += [v for k, v in attrs if k in ("src", "href", "data", "srcset", "action") and v]


@pytest.fixture(scope="session")
def reader(written: Any) -> pypdf.PdfReader:  # the fixture's class lives in conftest, which is no module
    return pypdf.PdfReader(written.folder / "report.pdf")


def test_every_product_is_written(written: Any) -> None:
    assert {"report.pdf", "report.html", "tables/table-3-7.csv", "tables/table-3-7.tex", "tables/sources.md"} <= set(
        written.result.files
    )
    assert {"figures/recovery-times.svg", "figures/recovery-times.csv"} <= set(written.result.files)
    assert all((written.folder / name).is_file() for name in written.result.files)


def test_the_report_is_short(written: Any, reader: pypdf.PdfReader) -> None:
    assert written.result.pages == len(reader.pages)
    assert 2 <= len(reader.pages) <= 5


def test_only_plex_is_embedded_and_what_it_lacks(reader: pypdf.PdfReader) -> None:
    fonts = set()
    for page in reader.pages:
        resources: Any = page["/Resources"]
        for font in resources.get("/Font", {}).values():
            fonts.add(font.get_object()["/BaseFont"].lstrip("/").split("+")[-1])
    assert {"IBM-Plex-Serif", "IBM-Plex-Sans"} <= {each for each in fonts if not each.startswith("Haledger")} <= PLEX


def test_no_page_is_empty(reader: pypdf.PdfReader) -> None:
    assert [i for i, page in enumerate(reader.pages, 1) if len(page.extract_text().split()) < 25] == []


def test_bookmarks_follow_the_sections(reader: pypdf.PdfReader) -> None:
    titles = [each["/Title"] for each in reader.outline if not isinstance(each, list)]
    assert [str(title).split(maxsplit=1)[-1] for title in titles[1:]] == [
        "Results",
        "Test environment",
        "Method",
        "Doubts",
        "Provenance",
    ]


def test_the_first_page_answers(reader: pypdf.PdfReader) -> None:
    text = " ".join(reader.pages[0].extract_text().split())
    assert re.search(r"Tested .* Result .* Trust .* Next ", text)
    assert "Figure 1 Time from the fault to recovery" in text


def test_it_claims_both_standards_and_carries_its_data(written: Any, reader: pypdf.PdfReader) -> None:
    metadata = reader.xmp_metadata
    assert metadata is not None
    xml = metadata.stream.get_data().decode()
    assert 'part="3"' in xml
    assert 'conformance="A"' in xml
    assert "<pdfuaid:part>1</pdfuaid:part>" in xml
    assert reader.trailer["/Root"]["/Lang"] == "en"  # type: ignore[index]  # a dictionary of the file
    assert {"sources.csv", "table-3-7.csv"} <= set(reader.attachments)
    own = (written.folder / "tables" / "sources.csv").read_bytes()
    assert reader.attachments["sources.csv"] == [own]


@pytest.fixture(scope="session")
def data(written: Any) -> pypdf.PdfReader:
    """What is looked up, in print."""
    return pypdf.PdfReader(written.folder / "report-data.pdf")


def test_what_is_looked_up_is_printed_on_request(data: pypdf.PdfReader) -> None:
    titles = [each["/Title"] for each in data.outline if not isinstance(each, list)]
    assert [str(title).split(maxsplit=1)[-1] for title in titles[1:]] == [
        "Contents",
        "Every run",
        "Runs behind the numbers",
        "Logs and machines",
        "Sources",
        "SQL of the tables",
    ]
    contents = data.pages[0].extract_text()
    assert re.search(r"Every run[ .\xa0]*\d", contents)
    assert re.search(r"Table \d+ +Every file of the study.*\d", contents)


def test_nothing_is_in_neither_part(written: Any, reader: pypdf.PdfReader, data: pypdf.PdfReader) -> None:
    numbers = set(re.findall(r"<b>((?:Table|Figure) \d+)", written.html))
    printed = "\n".join(page.extract_text() for each in (reader, data) for page in each.pages)
    assert numbers
    assert {each for each in numbers if f"{each} " not in printed} == set()


def test_the_answer_is_bound_to_the_data(written: Any) -> None:
    text = written.html.replace("\u00a0", " ")
    assert "<b>Time to recovery:</b> means from 20.0 s (" in text


def test_hostile_text_is_shown_and_does_nothing(written: Any, reader: pypdf.PdfReader) -> None:
    html = written.html
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;{{ 7*7 }}\\x1b[31m\\u{202e}" in html
    assert "<b>not bold" not in html
    assert html.count("<script>") == 1
    assert "\x1b" not in html
    assert "49" not in (reader.metadata.title or "")  # type: ignore[union-attr]  # there is one
    assert "/JavaScript" not in str(reader.trailer["/Root"])


def test_the_page_loads_nothing_from_outside(written: Any) -> None:
    html = written.html
    page = Loads()
    page.feed(html)
    assert page.loads == []
    assert page.inline_handlers == []
    assert not re.search(r"url\(\"(?!data:)", html)
    assert page.policy.startswith("default-src 'none'; ")
    assert "unsafe" not in page.policy
    for tag in ("style", "script"):
        content = html.split(f"<{tag}>", 1)[1].split(f"</{tag}>", 1)[0]
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in page.policy


def test_a_study_without_failover_says_so_and_invents_nothing(make_store: Maker, tmp_path: Path) -> None:
    store = make_store(configurations={}, setting={"name": "logs"})
    write_report(store, tmp_path / "out", formats=["html"])
    html = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "no failover was found" in html
    assert "Results" not in html


def test_an_unknown_value_in_a_section_is_reported_on_the_page(make_store: Maker, tmp_path: Path) -> None:
    store = make_store(sections=[("Prose", "results", "{{ mean('complete', 'tunde') }}")])
    write_report(store, tmp_path / "out", formats=["html"])
    html = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "has no result: no milestone or measurement 'complete' of configuration 'tunde'" in unescape(html)


@pytest.mark.parametrize("options", [{"formats": ["docx"]}, {"page_size": "A5"}])
def test_unknown_choices_are_reported(make_store: Maker, tmp_path: Path, options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="unknown; expected"):
        write_report(make_store(), tmp_path / "out", **options)


def test_a_report_is_made_again_only_where_something_changed(tmp_path: Path) -> None:
    place, store, formats = tmp_path / "out", tmp_path / "store.duckdb", ["tables", "figures"]

    def written() -> ReportResult:
        with rebuilt(place) as new:
            (new / STORE_NAME).unlink(missing_ok=True)
            shutil.copy2(store, new / STORE_NAME)
            return write_report(new / STORE_NAME, new, formats=formats, last=place)

    def assert_written_again(*, is_unchanged: bool) -> None:
        again = written()
        assert again.is_unchanged == is_unchanged
        assert {name: (place / name).read_bytes() for name in again.files} == {name: kept[name] for name in again.files}
        assert changed_files(place) == []
        assert (again.tables, again.figures) == (first.tables, first.figures)

    ingest(one_failover(tmp_path / "logs"), store)
    first = written()
    kept = {name: (place / name).read_bytes() for name in first.files}
    assert_written_again(is_unchanged=True)
    (place / first.files[0]).write_text("by hand")
    assert_written_again(is_unchanged=False)
    with duckdb.connect(str(store)) as con:
        con.execute("create table main.of_another as select 1 as one")
    assert_written_again(is_unchanged=False)
    formats.remove("figures")
    assert_written_again(is_unchanged=False)


CLAIMS = """
[[claim]]
milestone = "complete"
op = "<="
value = 45

[[claim]]
text = "True."
sql = "select true"

[[claim]]
milestone = "complete"
published = { default = 45 }
"""


def test_check_beside_a_report_says_what_the_store_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logs, folder = one_failover(tmp_path / "logs"), tmp_path / "logs-report"
    (logs / "study.toml").write_text(CLAIMS)
    folder.mkdir()
    ingest(logs, folder / STORE_NAME)
    asked = check(logs, fail_on=["few_runs"])
    write_report(folder / STORE_NAME, folder, formats=[])
    monkeypatch.setattr("pipeline.ask.check.claims.evaluate_claims", None)
    assert check(logs, fail_on=["few_runs"], near=[tmp_path]) == asked
    assert (len(asked.claims), asked.failures) == (3, ["few_runs was found (--fail-on)"])


def test_a_series_that_neither_a_date_nor_a_fault_places_ends_no_report(tmp_path: Path) -> None:
    logs = tmp_path / "logs" / "default" / "run01"
    write(logs / "engine_A.log", "2026/03/01 10:00:00 VCS INFO V-16-1-10077 Received new cluster membership\n")
    seconds = (f"[ {at}s ] thds: 8 tps: 100.00 qps: 2000.00 lat (ms,95%): 9.00 err/s: 0.00\n" for at in (1, 2, 3))
    write(logs / "sysbench.txt", "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n\n" + "".join(seconds))
    ingest(tmp_path / "logs", tmp_path / "report" / STORE_NAME)
    assert write_report(tmp_path / "report" / STORE_NAME, tmp_path / "report", formats=["html"]).figures
