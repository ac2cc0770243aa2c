"""Names that strangers choose: scripts, markup, stacks of marks, 200 characters; as title, label, node and path."""

from pathlib import Path
from typing import Any

import pytest

from reports.document.report import write_report
from tests.support import axe, browser, text_boxes
from tests.support.failover_logs import ingested, on_days, slower, write_run, write_timers

pytestmark = pytest.mark.xdist_group("browser")

SCRIPTS = {
    "Latin": "Grundeinstellung mit größerem Puffer",
    "Greek": "προεπιλεγμένες ρυθμίσεις",
    "Cyrillic": "настройки по умолчанию",
    "Hebrew": "הגדרות ברירת מחדל",
    "Arabic": "الإعدادات الافتراضية",
    "Devanagari": "पूर्वनिर्धारित सेटिंग्स",
    "Bengali": "পূর্বনির্ধারিত সেটিংস",
    "Tamil": "இயல்புநிலை அமைப்புகள்",
    "Thai": "การตั้งค่าเริ่มต้น",
    "Georgian": "ნაგულისხმევი პარამეტრები",
    "Japanese": "既定値の設定フェイルオーバー試験",
    "Korean": "기본 설정 장애 조치",
}
MARKUP = "</td></script><svg onload=window.ran=1>{{7*7}}&amp;<b>%s${x}`"
STACK = "Z" + 24 * "\u0301\u0300\u0302\u0303\u0308\u030c\u0323\u0331"
FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
LANES = "document.documentElement.dataset.lanes === 'ready'"
READY = LANES + " && document.documentElement.dataset.figures === 'ready'"
NAMES = [f"{'very-long-configuration-name-with-many-parts-' * 5}"[:197] + f"-{place:02d}" for place in range(3)]
LABELS = [
    f"{'A label of two hundred characters that says what this is about ' * 4}"[:198].strip() + f" {place}"
    for place in range(2)
] + [f"{'Label-without-a-blank-' * 9} 2"]
LOST, SURVIVOR = (f"{f'node-{word}-with-a-long-name-' * 8}"[:195] + f"-{word[:4]}" for word in ("three", "four"))


def cut(name: str, most: int) -> str:
    """As much of a name as a file system takes."""
    return name.replace("/", "\u2215").encode()[:most].decode(errors="ignore")


def study(folder: Path) -> None:
    names = {text.replace(" ", "-"): f"{text} " * 20 for text in SCRIPTS.values()}
    names |= {MARKUP: MARKUP * 3, STACK: STACK, "blank": "\u2003", FAMILY * 4: FAMILY * 30}
    title = " ".join(SCRIPTS.values()) + MARKUP + STACK
    manifest = f'[study]\ntitle = "{title}"\nsubtitle = "{STACK}{MARKUP}"\nabstract = "{STACK} {title[:300]}"\n'
    for place, (name, label) in enumerate(names.items()):
        path = cut(name, 200)
        lost, survivor = (f"{cut(name, 150)}-{end}" for end in "ab")
        write_timers(folder / path)
        for run in ("run01", "run02"):
            write_run(folder / path / run, slower(3.0 * place, lost=lost, survivor=survivor))
        manifest += f'[configuration."{path}"]\nlabel = "{label[:200]}"\n'
    (folder / "study.toml").write_text(manifest, encoding="utf-8")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    study(folder / "study")
    store = ingested(on_days(folder / "study"))
    runs = store.one("select count(*) filter (used), count(distinct lost_node) from run")
    assert runs == (2 * (len(SCRIPTS) + 4), len(SCRIPTS) + 4)  # each name of a node is read
    write_report(store.db, folder / "report", formats=("pdf", "appendix", "html"))
    return folder / "report"


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("long")
    for place, name in enumerate(NAMES):
        write_timers(folder / "study" / name)
        for run in (1, 2, 3):
            write_run(
                folder / "study" / name / f"run{run:02d}", slower(8.0 * place + run / 2, lost=LOST, survivor=SURVIVOR)
            )
    manifest = f'[study]\ntitle = "{"A title of two hundred characters goes on " * 5}"\nreference = "{NAMES[0]}"\n'
    manifest += "".join(
        f'[configuration."{name}"]\nlabel = "{label}"\n' for name, label in zip(NAMES, LABELS, strict=True)
    )
    (folder / "study" / "study.toml").write_text(manifest)
    store = ingested(folder / "study")
    write_report(store.db, folder / "report", formats=("pdf", "appendix", "html"))
    return folder / "report"


@pytest.mark.parametrize("name", ["report.pdf", "report-data.pdf"])
@pytest.mark.parametrize("names", ["report", "long"])
def test_no_text_leaves_the_type_area_or_covers_another(request: pytest.FixtureRequest, names: str, name: str) -> None:
    folder: Path = request.getfixturevalue(names)
    assert text_boxes.misplaced(folder / name) == []


@pytest.mark.skipif(browser.program() is None, reason="no Chromium on the PATH or in HALEDGER_CHROMIUM")
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_holds_all_of_them_as_text(report: Path, tab: Any, width: int) -> None:
    tab.look(width=width, height=900)
    tab.open(report / "report.html")
    tab.wait(READY)
    assert tab.run("document.documentElement.scrollWidth") == width
    assert tab.run(text_boxes.OUTSIDE) == []
    assert tab.run("window.ran") is None
    assert "{{7*7}}" in tab.run("document.querySelector('h1').textContent")
    tab.run("location.hash = `#run=${haledger.runs[0].key}&beside=${haledger.runs.at(-1).key}`")
    tab.wait("!document.getElementById('lanes-open').hidden")
    assert tab.run("document.documentElement.scrollWidth") == width
    hanging = "(each) => each.getBoundingClientRect().right > innerWidth"
    labels = "[...document.querySelectorAll('#lanes-chart text.run, #lanes-chart text.crossed')]"
    assert tab.run(f"{labels}.filter({hanging}).map((each) => each.textContent)") == []


@pytest.mark.skipif(browser.program() is None, reason="no Chromium on the PATH or in HALEDGER_CHROMIUM")
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing(report: Path, tab: Any, width: int) -> None:
    tab.look(width=width, height=900)
    tab.open(report / "report.html")
    tab.wait(READY)
    axe.prepare(tab)
    found = axe.violations(tab)
    tab.look(width=width, height=900, scheme="dark")
    assert found + axe.violations(tab, *axe.OF_COLOURS) == []


def test_no_column_is_lost(long: Path) -> None:
    printed = " ".join(text for _, _, _, texts in text_boxes.of_pages(long / "report.pdf") for text in texts)
    for heading in (
        "Mean",
        "Difference",
        "Ratio",
        "95 % interval",
        "Verdict",
        "Complete",
        "Db2udb",
        "peerinact",
        "Stable timeout",
    ):
        assert heading in printed, heading


@pytest.mark.skipif(browser.program() is None, reason="no Chromium on the PATH or in HALEDGER_CHROMIUM")
def test_the_page_holds_them_wide_and_narrow(long: Path, tab: Any) -> None:
    for width in (1280, 390):
        tab.look(width=width, height=900)
        tab.open(long / "report.html")
        tab.wait(LANES)
        assert tab.run("document.documentElement.scrollWidth") == width
        assert tab.run(text_boxes.OUTSIDE) == []
        figures = "[...document.querySelectorAll('svg.chart')].filter((each) => each.checkVisibility())"
        hanging = "(each) => each.getBoundingClientRect().right > innerWidth"
        assert tab.run(f"{figures}.filter({hanging}).map((each) => each.dataset.figure)") == []
    tab.look(width=1280, height=900)
    moments = "[...document.querySelectorAll('.table-runs td')].filter((each) => /10:27:04/.test(each.textContent))"
    assert tab.run(f"{moments}.length") > 0
    assert tab.run(f"{moments}.every((each) => each.getBoundingClientRect().right < innerWidth)")


@pytest.mark.skipif(browser.program() is None, reason="no Chromium on the PATH or in HALEDGER_CHROMIUM")
def test_lines_of_nodes_with_long_names_are_seen(long: Path, tab: Any) -> None:
    tab.look(width=1280, height=900)
    tab.open(long / "report.html")
    tab.wait(LANES)
    tab.run("location.hash = `#run=${haledger.runs[0].key}`")
    tab.wait("document.querySelectorAll('#lanes-lines td.text').length > 0")
    for column in ("text", "where"):
        places = (
            f"[...document.querySelectorAll('#lanes-lines td.{column}')].map((each) => each.getBoundingClientRect())"
        )
        assert tab.run(f"{places}.filter((box) => box.right > innerWidth || box.width < 100).length") == 0
    rows = "[...document.querySelectorAll('#lanes-lines tbody tr')]"
    assert tab.run(f"Math.max(...{rows}.map((each) => each.offsetHeight))") < 150
    assert tab.run("document.querySelector('#lanes-lines td.name').title").startswith("node-")
