"""Hostile text in every place that a stranger fills: it reaches the store whole and drives nothing on the way out."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pypdf
import pypdfium2
import pytest
from markdown_it import MarkdownIt

from reports.document.products import write_products
from reports.document.report import write_report
from tests.support.bare_system import pseudo_terminal
from tests.support.command import haledger
from tests.support.failover_logs import (
    Failover,
    Store,
    environment_of,
    ingested,
    on_days,
    write,
    write_logs,
    write_timers,
)

PAYLOADS = {
    "screen": "\x1b[2J\x1b[1;31mred",
    "title": "\x1b]0;owned\x07",
    "clipboard": "\x1b]52;c;cm0gLXJm\x07",
    "link": "\x1b]8;;http://x.example\x1b\\here\x1b]8;;\x1b\\",
    "c1": "\x9b2J\x90q",
    "bidi": "\u202etxt.exe\u2066\u200b",
    "formula": "=cmd|' /C calc'!A0",
    "sum": "@SUM(1+1)*cmd|' /C calc'!A0",
    "script": "<script>alert(1)</script><svg onload=alert(1)>",
    "template": "{{7*7}}{% for x in y %}${7*7}",
    "sql": "'); drop table main.run; --",
    "latex": r"\input{/etc/passwd}$\write18{id}$%~^_#&--''\"",
    "style": "</style><style>*{display:none}@import url(http://x.example/a.css)</style>",
    "attribute": "\" onmouseover=alert(1) x='",
    "markdown": "[x](javascript:alert(1))|![y](file:///etc/passwd)`$(id)`",
}
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069]")


def in_a_name(payload: str) -> str:
    """A payload as a file may be called: no slash of either kind, no end of line."""
    return re.sub(r"[/\\\n]", "_", payload)


def in_a_word(payload: str) -> str:
    """A payload as a log prints a name: without blanks."""
    return re.sub(r"\s", "", payload)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Each payload in a message, a host, a resource, a system, a file name, a folder name, a manifest."""
    study = tmp_path_factory.mktemp("hostile") / "hostile"
    crash = Failover()
    for payload in PAYLOADS.values():
        folder = study / in_a_name(payload)
        word = in_a_word(payload)
        write_timers(folder)
        engine = [
            *crash.engine(),
            crash.engine_line(crash.at(60), f"INFO V-16-1-50135 User root fired command: {payload}"),
            crash.engine_line(
                crash.at(61),
                f"INFO V-16-1-10298 Resource {word} (Owner: x, Group: {word}) is online on {word} (VCS initiated)",
            ),
        ]
        messages = [
            *crash.messages(),
            crash.syslog_line(62, f"app[1]: {payload}"),
            crash.syslog_line(63, "app[1]: from a host", host=word),
            payload,
        ]
        logs = crash.survivors() | {"engine_A.log": engine, "messages": messages}
        write_logs(folder / "run01" / "sun-ha4", logs)
        write(folder / "run01" / "db2set.txt", f"[i] DB2COMM=TCPIP\n[i] DB2_HOSTILE={word}\n")
        write(folder / "run01" / f"notes-{in_a_name(payload)}", "nothing that any format knows\n")
    label = "".join(PAYLOADS.values())
    write(study / "study.toml", f"[study]\ntitle = {json.dumps(label)}\nauthors = [{json.dumps(label)}]\n")
    return ingested(on_days(study))


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
def test_text_reaches_the_store_as_it_is(hostile: Store, payload: str) -> None:
    found = hostile.one(
        "select count(*) from event where source = 'vcs' and text = 'User root fired command: ' || ?", payload
    )
    assert found == (1,)
    configurations = hostile.rows("select configuration from run where configuration = ?", in_a_name(payload))
    assert configurations == [(in_a_name(payload),)]
    settings = hostile.rows("select value from parameter where name = 'DB2_HOSTILE'")
    assert (in_a_word(payload),) in settings
    milestones = hostile.milestones(in_a_name(payload))
    assert milestones["complete"] - milestones["detect"] == 6


def test_the_title_is_kept_and_no_table_is_dropped(hostile: Store) -> None:
    assert hostile.one("select title from study.setting") == ("".join(PAYLOADS.values()),)
    assert hostile.one("select count(*) from run where used") == (len(PAYLOADS),)


EVERYTHING = (
    "select path as a, reason as b from source_file union all select text, node from event "
    "union all select configuration, excluded_reason from run union all select text, kind from finding "
    "union all select text, reason from rejected_line union all select resource, system from vcs_event "
    "union all select host, text from log.syslog_event union all select title, name from study.setting"
)


def on_a_terminal(*arguments: str, cwd: Path) -> str:
    """What a person sees of a command."""
    mine, its = pseudo_terminal()
    with subprocess.Popen(
        [sys.executable, "-m", "haledger", *arguments], cwd=cwd, env=environment_of(), stdout=its, stderr=its, stdin=its
    ) as process:
        os.close(its)
        shown = b""
        with suppress(OSError):  # the terminal closes
            while part := os.read(mine, 65536):
                shown += part
        process.wait(60)
    os.close(mine)
    return shown.decode("utf-8", "surrogateescape").replace("\r\n", "\n")


@pytest.mark.parametrize("format_", ["table", "csv"])
def test_a_terminal_is_shown_no_control_character(hostile: Store, tmp_path: Path, format_: str) -> None:
    shown = on_a_terminal("sql", EVERYTHING, "--db", str(hostile.db), "--format", format_, cwd=tmp_path)
    assert "owned" in shown
    found = CONTROL.search(shown)
    assert found is None, (shown[max(0, found.start() - 40) : found.start() + 20], found.group())


@pytest.mark.parametrize("format_", ["table", "md", "json", "jsonl", "tex", "html"])
def test_no_output_but_csv_holds_a_raw_control_character(hostile: Store, tmp_path: Path, format_: str) -> None:
    """A file of CSV holds what the log held; all else is made to be looked at."""
    outcome = haledger("sql", EVERYTHING, "--db", str(hostile.db), "--format", format_, cwd=tmp_path)
    assert (outcome.returncode, outcome.stderr) == (0, "")
    found = CONTROL.search(outcome.stdout)
    assert found is None, (outcome.stdout[max(0, found.start() - 40) : found.start() + 20], found.group())


def test_csv_guards_every_formula(hostile: Store, tmp_path: Path) -> None:
    outcome = haledger("sql", EVERYTHING, "--db", str(hostile.db), "--format", "csv", cwd=tmp_path)
    cells = [cell for row in csv.reader(io.StringIO(outcome.stdout)) for cell in row]
    assert [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))] == []
    assert any(cell.startswith("'=cmd|") for cell in cells)
    assert any(cell.startswith("'@SUM") for cell in cells)


def test_markdown_cells_stay_cells(hostile: Store, tmp_path: Path) -> None:
    outcome = haledger("sql", EVERYTHING, "--db", str(hostile.db), "--format", "md", cwd=tmp_path)
    lines = outcome.stdout.splitlines()
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines if line.startswith("|")} == {3}
    assert "<script>" not in outcome.stdout
    assert not re.search(r"(?<!\\)\]\(", outcome.stdout)


@pytest.mark.parametrize("arguments", [(), ("--json",)], ids=["text", "json"])
def test_explain_is_plain_text(hostile: Store, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    study = hostile.db.with_name("hostile")
    outcome = haledger("--quiet", "explain", str(study), *arguments, cwd=tmp_path)
    assert (outcome.returncode, outcome.stderr) == (0, "")
    assert CONTROL.search(outcome.stdout) is None
    if arguments:
        assert len(json.loads(outcome.stdout)) == len(hostile.files())


@pytest.mark.parametrize("name", ["screen", "clipboard", "bidi"])
def test_an_error_about_a_hostile_name_is_plain_text(tmp_path: Path, name: str) -> None:
    outcome = haledger("ingest", in_a_name(PAYLOADS[name]), cwd=tmp_path)
    assert outcome.returncode == 2
    assert CONTROL.search(outcome.stderr) is None
    refused = haledger("sql", f"select {PAYLOADS[name]}", "--db", "none", cwd=tmp_path)
    assert CONTROL.search(refused.stderr) is None


@pytest.mark.parametrize("name", ["a'; drop table x; --.duckdb", "a\x1b[2Jb {{7*7}} *[x].duckdb"], ids=["sql", "esc"])
def test_a_store_of_a_hostile_name_can_be_written_and_read(tmp_path: Path, name: str) -> None:
    write(tmp_path / "logs" / "engine_A.log", Failover().engine())
    outcome = haledger("ingest", "logs", "--db", name, cwd=tmp_path)
    assert outcome.returncode == 0, outcome.stderr
    assert CONTROL.search(outcome.stdout + outcome.stderr) is None
    assert haledger("sql", "select count(*) from run", "--db", name, cwd=tmp_path).returncode == 0
    assert {each.name for each in tmp_path.iterdir()} == {"logs", name}


def test_a_question_mark_in_the_name_of_a_store_is_refused(tmp_path: Path) -> None:
    """DuckDB takes what follows it for the query of an address, and puts its journal elsewhere."""
    write(tmp_path / "logs" / "engine_A.log", Failover().engine())
    outcome = haledger("ingest", "logs", "--db", "what?.duckdb", cwd=tmp_path)
    assert (outcome.returncode, "question mark" in outcome.stderr) == (2, True)
    assert {each.name for each in tmp_path.iterdir()} == {"logs"}


# --- the report and its parts ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def printed(hostile: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the hostile study and each of its parts in every format, written without a network."""
    folder = tmp_path_factory.mktemp("printed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("socket.socket.connect", _refused)
        patch.setattr("urllib.request.urlopen", _refused)
        write_report(hostile.db, folder)
        write_products(
            hostile.db,
            "tables",
            [],
            ["csv", "md", "tex", "typ", "html", "json", "parquet", "xlsx", "docx"],
            folder / "tables",
        )
        write_products(hostile.db, "figures", [], ["svg", "csv", "json"], folder / "figures")
    return folder


def _refused(*_: object) -> None:
    raise AssertionError("something was to be fetched")


def texts(folder: Path, pattern: str) -> dict[str, str]:
    found = {path.name: path.read_text("utf-8") for path in folder.glob(pattern)}
    assert found, pattern
    return found


@pytest.mark.parametrize("suffix", ["html", "md", "tex", "json", "svg"])
def test_no_part_of_a_report_holds_a_control_character(printed: Path, suffix: str) -> None:
    for name, text in texts(printed, f"**/*.{suffix}").items():
        found = CONTROL.search(text)
        assert found is None, (name, text[max(0, found.start() - 40) : found.start() + 20])


class Markup(HTMLParser):
    """What a browser makes of a page: its tags, attributes, and the text that it shows."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str]] = set()
        self.shown: list[str] = []

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {(name, value or "") for name, value in attrs}

    def handle_data(self, data: str) -> None:
        self.shown.append(data)


DATA = {f'<script type="text/plain" id="{name}">' for name in ("narrow-figures", "lanes-data")}
"""Which no browser runs."""

LEADING = {"href", "src", "action", "formaction", "data", "srcset", "poster", "background"}


def test_page_and_tables_hold_text_and_nothing_that_acts(printed: Path) -> None:
    for name, text in (texts(printed, "**/*.html") | texts(printed, "figures/*.svg")).items():
        page = Markup()
        page.feed(text)
        assert not page.tags & {"iframe", "object", "embed", "base", "form", "marquee", "foreignobject", "image"}, name
        names = {attribute for attribute, _ in page.attributes}
        assert not {each for each in names if each.startswith("on") or each in LEADING - {"href"}}, name
        assert {value[:1] for attribute, value in page.attributes if attribute.endswith("href")} <= {"#"}, name
        programs = [each for each in re.findall(r"<script[^>]*>", text) if each not in DATA]
        assert max(text.count("<style"), len(programs)) <= 1, name


@pytest.mark.parametrize("name", ["script", "template", "markdown", "latex", "style", "attribute"])
def test_a_reader_sees_the_payload_itself(printed: Path, name: str) -> None:
    page = Markup()
    page.feed((printed / "report.html").read_text("utf-8"))
    shown = "".join(page.shown)
    assert in_a_name(PAYLOADS[name]) in shown
    pdf = pypdfium2.PdfDocument(printed / "report.pdf")
    text = "".join(page.get_textpage().get_text_range() for page in pdf)
    pdf.close()
    assert in_a_word(in_a_name(PAYLOADS[name])) in in_a_word(text.replace("\ufffe", "-"))


def test_pdf_holds_no_action_and_no_file_but_ours(printed: Path) -> None:
    reader = pypdf.PdfReader(printed / "report.pdf")
    objects = [reader.get_object(number) for number in range(1, int(str(reader.trailer["/Size"])))]
    found: list[Any] = [each for each in objects if isinstance(each, dict)]
    assert not [each for each in found if each.get("/S") in ("/JavaScript", "/URI", "/Launch", "/GoToR", "/SubmitForm")]
    assert not [each for each in found if {"/JS", "/AA", "/OpenAction"} & each.keys()]
    assert {Path(name).suffix for name in reader.attachments} == {".csv", ".json", ".sql", ".toml", ".txt"}
    assert "/" not in "".join(reader.attachments)


COMMAND = re.compile(
    r"begin(group)?|end(group|firsthead|head|foot)?|caption|label|centering|(top|mid|bottom|cmid)rule|multicolumn|par"
    r"|smallskip|footnotesize|fontsize|selectfont|raggedright|arraybackslash|setlength|tabcolsep|tablename|thetable"
    r"|allowbreak|ldots|char|Uchar|ifdefined|else|fi"
    r"|pm|times|d?dagger|approx|bullet|cdot|circ|diamond|[gln]eq|infty|mu|rightarrow|surd|S"
    r"|text(backslash|asciicircum|asciitilde|less|greater|bar|quotedbl)"
)


def test_latex_holds_our_commands_only(printed: Path) -> None:
    for name, text in texts(printed, "tables/*.tex").items():
        body = text.replace("\\\\", "")
        assert [each for each in re.findall(r"\\([A-Za-z]+)", body) if not COMMAND.fullmatch(each)] == [], name
        bare = re.sub(r"\\[^A-Za-z]", "", body)
        assert bare.count("{") == bare.count("}"), name
        assert not set(bare) & set("%#_^"), name
        assert {each for each in re.findall(r"\$[^$]*\$", bare) if not re.fullmatch(r"\$(-|\\[a-z]+)\$", each)} == set()


def test_markdown_is_a_table_of_plain_text(printed: Path) -> None:
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    for name, text in texts(printed, "tables/*.md").items():
        tokens = [token for outer in reader.parse(text) for token in (outer, *(outer.children or []))]
        kinds = {token.type.removesuffix("_open").removesuffix("_close") for token in tokens}
        plain = {"paragraph", "inline", "text", "text_special", "strong"}
        assert kinds <= plain | {"table", "thead", "tbody", "tr", "th", "td"}, name
        widths = {len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in text.splitlines() if line.startswith("|")}
        assert len(widths) == 1, name


def test_csv_of_the_report_guards_every_formula(printed: Path) -> None:
    for name, text in texts(printed, "**/*.csv").items():
        cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
        formulas = [cell for cell in cells if cell.startswith(("=", "+", "@", "\t", "\r"))]
        assert formulas == [], name
