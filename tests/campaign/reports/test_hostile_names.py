"""Names that strangers choose: scripts, markup, stacks of marks, blanks; as title, label, node and path."""

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
READY = "document.documentElement.dataset.lanes === 'ready' && document.documentElement.dataset.figures === 'ready'"


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


@pytest.mark.parametrize("name", ["report.pdf", "report-data.pdf"])
def test_no_text_leaves_the_type_area_or_covers_another(report: Path, name: str) -> None:
    assert text_boxes.misplaced(report / name) == []


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
