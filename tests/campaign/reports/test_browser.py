"""The page in a real browser: sorted, copied and pointed at; shown without scripts; and never asking anybody."""

import io
import re
from typing import Any
from urllib.parse import quote

import pypdf
import pytest

from tests.support import browser

pytestmark = browser.MARKS

TABLE = "document.getElementById('table-table-3-7')"
MARK = 'svg.chart[data-figure="recovery-times"] path[aria-label*="run01"]'


@pytest.fixture
def page(written: Any, tab: Any) -> Any:
    """The report, fresh, in a window of usual size."""
    tab.requests.clear()
    tab.complaints.clear()
    tab.look(width=1200, height=900)
    tab.open(written.folder / "report.html")
    return tab


def column(tab: Any, place: int) -> list[str]:
    """The cells of a column of the table, from top to bottom."""
    found: list[str] = tab.run(f"[...{TABLE}.tBodies[0].rows].map((row) => row.cells[{place}].textContent)")
    return found


def test_the_page_asks_nobody_and_breaks_no_policy(page: Any, written: Any) -> None:
    page.click("#table-table-3-7 th:last-child .sort")
    page.point(MARK)
    assert [each for each in page.requests if not each.startswith("data:")] == [
        (written.folder / "report.html").as_uri()
    ]
    assert page.complaints == []


def test_the_policy_refuses_what_is_not_of_the_page(page: Any) -> None:
    page.run("document.body.append(Object.assign(new Image(), {src: 'https://example.org/a.png'}))")
    page.run("document.body.append(Object.assign(document.createElement('script'), {text: 'window.ran = true'}))")
    assert page.run("window.ran") is None
    assert any("Content Security Policy" in each for each in page.complaints)


def test_hostile_text_stays_text(page: Any) -> None:
    assert "<script>alert(1)</script>{{ 7*7 }}" in page.run("document.querySelector('h1').textContent")
    assert page.run("[...document.scripts].filter((each) => each.type === '').length") == 1


def test_a_button_sorts_up_then_down_then_as_printed(page: Any) -> None:
    last = page.run(f"{TABLE}.tHead.rows[1].cells.length") - 1
    printed = column(page, last)
    values = [float(each.split()[0]) for each in printed]
    assert values == sorted(values, reverse=True)  # so that the first press changes something
    seen = []
    for _ in range(3):
        page.click("#table-table-3-7 th:last-child .sort")
        seen.append(column(page, last))
    assert seen == [printed[::-1], printed, printed]
    assert page.run(f"{TABLE}.tHead.rows[1].cells[{last}].ariaSort") == "none"


def test_a_button_sorts_from_the_keyboard_and_says_so(page: Any) -> None:
    page.run("document.querySelector('#table-table-3-7 .sort').focus()")
    for kind in ("rawKeyDown", "keyUp"):
        page.call("Input.dispatchKeyEvent", type=kind, key=" ", code="Space", windowsVirtualKeyCode=32, text=" ")
    page.call("Input.dispatchKeyEvent", type="char", text=" ")
    assert page.run(f"{TABLE}.tHead.rows[1].cells[0].ariaSort") == "ascending"


SORTED = """
(() => {
  const found = {};
  for (const table of document.querySelectorAll(".table-block table.data")) {
    const last = table.tHead.rows[table.tHead.rows.length - 1];
    [...last.cells].forEach((cell, place) => {
      if (!cell.classList.contains("number")) return;
      cell.querySelector(".sort").click();
      found[`${table.id} ${place}`] = [...table.tBodies].map((body) => [...body.rows]
        .filter((row) => !row.classList.contains("group-row"))
        .map((row) => row.cells[place].dataset.value ?? null));
    });
  }
  return found;
})()
"""


def test_numbers_sort_by_their_unrounded_values_and_what_is_missing_last(page: Any) -> None:
    found: dict[str, list[list[str | None]]] = page.run(SORTED)
    assert len(found) > 20
    for name, bodies in found.items():
        for body in bodies:
            there = [float(each) for each in body if each is not None]
            assert there == sorted(there), name
            assert [each is None for each in body] == sorted(each is None for each in body), name


def test_a_table_is_copied_with_heading_and_units_tab_separated(page: Any) -> None:
    page.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.click(".table-table-3-7 .copy")
    lines = [line.split("\t") for line in page.run("window.copied").splitlines()]
    assert lines[0][:3] == ["Configuration", "Runs", "Membership change detection: LLT s"]
    assert lines[1][:2] == ["Default parameters", "10"]
    assert {len(line) for line in lines} == {len(lines[0])}
    assert page.run("document.querySelector('.table-table-3-7 .said').textContent") == "Copied"


def test_a_table_is_copied_where_the_browser_gives_no_clipboard(page: Any) -> None:
    page.run("navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))")
    page.run("document.addEventListener('copy', (e) => { window.copied = e.clipboardData.getData('text/plain'); })")
    page.click(".table-table-3-7 .copy")
    page.run("new Promise((resolve) => setTimeout(resolve, 50))")
    assert page.run("document.querySelector('.table-table-3-7 .said').textContent") == "Copied"


def test_copied_text_is_no_formula(page: Any) -> None:
    page.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.run("document.querySelector('#table-table-3-7 tbody th').textContent = '=1+1'")
    page.click(".table-table-3-7 .copy")
    assert "\n'=1+1\t" in page.run("window.copied")


def test_pointing_at_a_mark_shows_its_run_file_and_line(page: Any) -> None:
    assert page.run("document.querySelector('.tooltip').hidden") is True
    page.point(MARK)
    words = page.run(f"document.querySelector({MARK!r}).getAttribute('aria-label')")
    assert page.run("document.querySelector('.tooltip').hidden") is False
    line = page.run("document.querySelector('.tooltip code').textContent")
    assert line.rpartition(":")[2].isdigit()
    assert page.run("document.querySelector('.tooltip').textContent") == words.replace(f", {line}", line)
    inside = "(() => { const r = document.querySelector('.tooltip').getBoundingClientRect(); "
    inside += "return r.left >= 0 && r.right <= innerWidth && r.top >= 0 && r.bottom <= innerHeight; })()"
    assert page.run(inside)
    page.point("h1")
    assert page.run("document.querySelector('.tooltip').hidden") is True


def press(tab: Any, key: str) -> None:
    """A key that writes nothing, down and up."""
    for kind in ("rawKeyDown", "keyUp"):
        tab.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)


def test_arrow_keys_go_from_mark_to_mark_of_a_figure(page: Any) -> None:
    chart = "document.querySelector('svg.chart[data-figure=\"recovery-times\"]')"
    words = page.run(
        f"[...{chart}.querySelectorAll('path[aria-label]')].map((each) => each.getAttribute('aria-label'))"
    )
    page.run(f"{chart}.focus()")
    assert page.run("document.querySelector('.tooltip').hidden") is True
    shown = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowDown"):
        press(page, key)
        shown.append(page.run("document.querySelector('.tooltip').textContent"))
    plain = [re.sub(r", (?=[^,]+:\d+$)", "", each) for each in words]
    assert shown == [plain[0], plain[1], plain[0], plain[-1], plain[-1]]
    assert page.run(f"{chart}.querySelectorAll('.chosen').length") == 1
    page.run("document.activeElement.blur()")
    assert page.run("document.querySelector('.tooltip').hidden") is True
    assert page.run("document.querySelectorAll('.chosen').length") == 0


def test_the_page_is_read_without_scripts(written: Any, tab: Any) -> None:
    tab.look(width=1200)
    tab.open(written.folder / "report.html", has_scripts=False)
    tree = tab.call("Accessibility.getFullAXTree")["nodes"]
    names = {each["name"]["value"] for each in tree if "name" in each and not each.get("ignored")}
    roles = {each["role"]["value"] for each in tree if "role" in each and not each.get("ignored")}
    assert {"Results", "Two file systems", "Default parameters"} <= {name.removeprefix("3 ") for name in names} | {
        name.split(" ", 2)[-1] for name in names
    }
    assert "button" not in roles  # none that would do nothing
    tab.call("Emulation.setScriptExecutionDisabled", value=False)


@pytest.mark.parametrize("width", [400, 700, 1200])
def test_only_tables_and_figures_scroll_sideways(page: Any, width: int) -> None:
    page.look(width=width)
    assert page.run("document.documentElement.scrollWidth") == width


CONTRAST = """
(() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  const light = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const paper = light(channels(getComputedStyle(document.body).backgroundColor));
  const ratio = (colour) => {
    const [dark, bright] = [light(channels(colour)), paper].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };
  const texts = [...document.querySelectorAll("main p, main td, main th, main caption, figcaption, .notes, button")]
    .map((each) => ratio(getComputedStyle(each).color));
  const drawn = [...document.querySelectorAll("svg.chart text")].map((each) => ratio(getComputedStyle(each).fill));
  return Math.min(...texts, ...drawn);
})()
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_on_its_paper(page: Any, scheme: str) -> None:
    page.look(scheme=scheme)
    assert page.run(CONTRAST) >= 4.5  # WCAG 2.2, 1.4.3: contrast of text


def test_a_print_is_dark_on_white_and_holds_all_but_the_buttons(page: Any) -> None:
    page.look(scheme="dark")
    reader = pypdf.PdfReader(io.BytesIO(page.paper()))
    text = " ".join(each.extract_text() for each in reader.pages)
    assert "Two file systems" in text
    assert "Copy table" not in text


FIND = "document.querySelector('.find input')"
ROWS = "[...document.querySelectorAll('main table.data tbody tr:not(.group-row)')]"
ROWS_SHOWN = f"{ROWS}.filter((row) => row.checkVisibility()).length"


def test_rows_of_all_tables_are_found_by_words(page: Any) -> None:
    every = page.run(ROWS_SHOWN)
    page.run(f"{FIND}.value = 'TUNED run03'; {FIND}.dispatchEvent(new Event('input'))")
    found = page.run(ROWS_SHOWN)
    assert 0 < found < every
    assert f"{found} row" in page.run("document.querySelector('.find span').textContent")
    page.run(f"{FIND}.value = ''; {FIND}.dispatchEvent(new Event('input'))")
    assert page.run(ROWS_SHOWN) == every


FOLDS = "[...document.querySelectorAll('.chapter-behind details.fold')]"
OPEN_FOLDS = f"{FOLDS}.filter((fold) => fold.open).length"


def test_lists_of_runs_are_closed_until_a_link_a_search_or_a_print_leads_into_them(page: Any) -> None:
    assert page.run(f"{FOLDS}.length") > 1
    assert page.run(OPEN_FOLDS) == 0
    page.run(f"{FIND}.value = 'run03'; {FIND}.dispatchEvent(new Event('input'))")
    assert page.run(OPEN_FOLDS) > 0
    page.run(f"{FIND}.value = ''; {FIND}.dispatchEvent(new Event('input'))")
    assert page.run(OPEN_FOLDS) == 0
    page.run("window.dispatchEvent(new Event('beforeprint'))")
    assert page.run(OPEN_FOLDS) == page.run(f"{FOLDS}.length")
    page.run("window.dispatchEvent(new Event('afterprint'))")
    assert page.run(OPEN_FOLDS) == 0
    target = page.run("document.querySelector('table.behind > tbody:last-child').id")
    page.run(f"location.hash = '{target}'")
    page.wait(f"{OPEN_FOLDS} === 1")
    page.wait(f"Math.abs(document.getElementById('{target}').getBoundingClientRect().top) < 900")


def test_one_key_leads_past_the_head_to_the_content(page: Any) -> None:
    for kind in ("rawKeyDown", "keyUp"):
        page.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
    assert page.run("document.activeElement.className") == "skip"
    target = page.run("document.activeElement.hash")
    assert page.run(f"document.querySelector({target!r}) !== null")


def test_the_contents_stay_in_view_where_there_is_room(page: Any) -> None:
    page.look(width=1600, height=900)
    page.run("window.scrollTo({top: document.body.scrollHeight / 2, behavior: 'instant'})")
    top = page.run("document.querySelector('nav.contents').getBoundingClientRect().top")
    assert 0 <= top < 900
    left, right = page.run(
        "(() => { const box = (each) => document.querySelector(each).getBoundingClientRect();"
        " return [box('nav.contents').right, box('main').left]; })()"
    )
    assert left <= right
    assert page.run("document.documentElement.scrollWidth") <= 1600


def test_the_contents_name_the_tables_in_which_words_are_found(page: Any) -> None:
    listed = "[...document.querySelectorAll('nav.contents .toc.small li')].filter((each) => each.checkVisibility())"
    tables = f"{listed}.filter((each) => /^Table/.test(each.textContent))"
    every = page.run(f"{tables}.length")
    page.run(f"{FIND}.value = 'TUNED run03'; {FIND}.dispatchEvent(new Event('input'))")
    said = page.run(f"{tables}.map((each) => [each.querySelector('a').hash.slice(1), each.textContent])")
    assert 0 < len(said) < every
    for name, text in said:
        shown = page.run(
            f"[...document.getElementById({name!r}).tBodies].flatMap((body) => [...body.rows])"
            ".filter((row) => !row.hidden && !row.classList.contains('group-row')).length"
        )
        assert shown > 0
        assert text.endswith(f" {shown} row{'' if shown == 1 else 's'}"), name
    total = page.run("parseInt(document.querySelector('.find span').textContent)")
    counts = "[...document.querySelectorAll('nav.contents .found-rows')].map((each) => parseInt(each.textContent) || 0)"
    assert sum(page.run(counts)) == total  # those of tables that no list names stand with their chapter
    page.run(f"{FIND}.value = ''; {FIND}.dispatchEvent(new Event('input'))")
    assert page.run(f"{tables}.length") == every
    assert not page.run(f"{tables}.some((each) => / rows?$/.test(each.textContent))")


@pytest.mark.parametrize(("width", "is_shown"), [(390, True), (1280, True), (1600, False)])
def test_the_contents_are_reached_from_every_screen(page: Any, width: int, *, is_shown: bool) -> None:
    page.look(width=width, height=900)
    page.wait("document.documentElement.dataset.lanes === 'ready'")
    assert page.run("document.getElementById('lanes-contents').checkVisibility()") is is_shown
    if not is_shown:
        return  # they are beside the text
    page.run("window.scrollTo({top: document.body.scrollHeight / 2, behavior: 'instant'})")
    page.click("#lanes-contents")
    page.wait("Math.abs(document.querySelector('nav.contents h2').getBoundingClientRect().top) < innerHeight / 2")


def test_a_number_keeps_its_row_where_a_table_scrolls_sideways(page: Any) -> None:
    page.look(width=390, height=800)
    page.run(f"{TABLE}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
    hidden = page.run(f"(({{ scrollWidth, clientWidth }}) => scrollWidth - clientWidth)({TABLE}.closest('.scroll'))")
    assert hidden > 100
    page.run(f"{TABLE}.closest('.scroll').scrollLeft = {hidden}")
    row = f"{TABLE}.tBodies[0].rows[0]"
    left, top, last = page.run(
        f"(() => {{ const box = (each) => each.getBoundingClientRect(), [head, cell] = [{row}.cells[0], {row}.cells];"
        " return [box(head).left + 20, box(head).top + 8, box(cell[cell.length - 1]).right]; })()"
    )
    assert 0 <= left < last <= 390
    assert page.run(f"document.elementFromPoint({left}, {top}).closest('th') === {row}.cells[0]")


def test_a_list_that_no_lane_stands_beside_is_read_without_scrolling_on_a_telephone(page: Any) -> None:
    page.look(width=390, height=844)
    page.run("document.querySelector('#lanes').classList.add('listing')")
    assert page.run("getComputedStyle(document.getElementById('lanes-list')).maxHeight") == "none"
    page.run("document.getElementById('lanes').hidden = document.getElementById('lanes-open').hidden = false")
    page.run("document.getElementById('lanes-list').hidden = false")
    entries = "".join(f"<li><button>run {'and more ' * place}</button></li>" for place in range(3))
    page.run(f"document.getElementById('lanes-list').innerHTML = '<ol>{entries}</ol>'")
    boxes = "[...document.querySelectorAll('#lanes-list button')].map((each) => each.getBoundingClientRect())"
    assert len(set(page.run(f"{boxes}.map((box) => box.width)"))) == 1


STATEMENTS = "[...document.querySelectorAll('.chapter-sql details.fold')]"
OPEN_STATEMENTS = f"{STATEMENTS}.filter((fold) => fold.open)"
STOPS = (
    "[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')]"
    ".filter((each) => each.checkVisibility() && (each.tabIndex >= 0 || each.matches('summary')))"
)
IN_VIEW = "(({{ top, bottom }}) => top > -2 && bottom > top && top < innerHeight)({}.getBoundingClientRect())"


def test_a_statement_unfolds_from_its_table_and_leads_back(page: Any) -> None:
    assert page.run(f"{STATEMENTS}.length") > 5
    assert page.run(f"{OPEN_STATEMENTS}.length") == 0
    page.click(".table-table-3-7 .notes a[href^='#sql-']")
    page.wait(f"{OPEN_STATEMENTS}.length === 1")
    assert page.run(f"{OPEN_STATEMENTS}[0].id") == page.run("location.hash.slice(1)")
    assert page.run(f"{OPEN_STATEMENTS}[0].querySelector('pre').textContent.includes('select')")
    page.wait(IN_VIEW.format(f"{OPEN_STATEMENTS}[0].querySelector('summary')"))
    page.click(".chapter-sql details[open] .notes a[href$='table-3-7']")
    page.wait(IN_VIEW.format(TABLE))


def test_a_statement_folds_and_unfolds_from_the_keyboard(page: Any) -> None:
    # the stop before it: what cannot be reached by Tab would still take a focus() and its keys
    page.run(f"{STOPS}[{STOPS}.indexOf({STATEMENTS}[0].querySelector('summary')) - 1].focus()")
    page.press("Tab")
    reached = f"document.activeElement === {STATEMENTS}[0].querySelector('summary')"
    assert page.run(reached)
    page.press("Enter")
    assert page.run(f"{OPEN_STATEMENTS}.length") == 1
    assert page.run(f"{OPEN_STATEMENTS}[0] === {STATEMENTS}[0]")
    page.press("Tab")
    assert page.run(f"{STATEMENTS}[0].contains(document.activeElement) && !({reached})")
    page.press("Tab", shift=True)
    assert page.run(reached)
    page.press(" ")
    assert page.run(f"{OPEN_STATEMENTS}.length") == 0
    page.press("Tab")
    assert not page.run(f"{STATEMENTS}[0].contains(document.activeElement)")


def test_statements_are_printed_open(page: Any) -> None:
    page.run("window.dispatchEvent(new Event('beforeprint'))")
    assert page.run(f"{OPEN_STATEMENTS}.length") == page.run(f"{STATEMENTS}.length")
    page.run("window.dispatchEvent(new Event('afterprint'))")
    assert page.run(f"{OPEN_STATEMENTS}.length") == 0


def test_a_search_of_the_browser_finds_the_words_of_a_folded_statement(page: Any, written: Any) -> None:
    words = page.run(f"{STATEMENTS}[1].querySelector('pre').textContent.split('\\n')[0].slice(3, 60)")
    page.call("Page.navigate", url="about:blank")
    page.wait("location.href === 'about:blank'")
    # a link to words searches as the browser's own search does, and unfolds what holds them
    page.call("Page.navigate", url=f"{(written.folder / 'report.html').as_uri()}#:~:text={quote(words)}")
    page.wait("document.documentElement?.dataset.lanes === 'ready'")
    page.wait(f"{OPEN_STATEMENTS}.length === 1")
    assert words in page.run(f"{OPEN_STATEMENTS}[0].textContent")
