"""The prompt of `haledger sql`, as a person at a terminal has it: through a pseudo-terminal."""

import os
import re
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from haledger.prompt.prompt import is_complete
from pipeline.ingest import ingest
from tests.support.bare_system import pseudo_terminal

ROOT = Path(__file__).parents[3]
LOG = "2011/05/13 03:31:45 VCS ERROR V-16-1-10322 System NODEC (Node '2') changed state from RUNNING to FAULTED\n"
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()=>][0-9A-B]?|\x1b\][^\x07]*\x07")
ENDLESS = "with recursive r(n) as (select 1 union all select n + 1 from r) select count(*) from r;"


BECOME_FOREGROUND = """
import os, sys
os.close(os.open(os.ttyname(0), os.O_RDWR))  # the first terminal that a new session opens is its own: Ctrl-C reaches it
os.execv(sys.executable, [sys.executable, "-m", "haledger", *sys.argv[1:]])
"""


class Terminal:
    """A program behind a pseudo-terminal: keys go in, what the screen shows comes out."""

    def __init__(self, folder: Path, *arguments: str, columns: int = 100) -> None:
        self.master, slave = pseudo_terminal()
        termios.tcsetwinsize(slave, (40, columns))
        os.set_blocking(self.master, False)
        self.process = subprocess.Popen(
            [sys.executable, "-c", BECOME_FOREGROUND, *arguments],
            cwd=folder,
            env={
                "PYTHONPATH": str(ROOT),
                "TERM": "xterm",
                "XDG_STATE_HOME": str(folder / "state"),
                "PROMPT_TOOLKIT_NO_CPR": "1",
            },
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        self.seen = ""

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def shows(self, expected: str, within_s: float = 120) -> str:
        """Wait for a text; give what was shown up to its end, which is then forgotten."""
        end = time.monotonic() + within_s
        while expected not in self.seen:
            assert time.monotonic() < end, f"{expected!r} did not come; there is: {self.seen[-2000:]!r}"
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    more = os.read(self.master, 65536)
                except OSError:  # the program has left
                    more = b""
                self.seen = CONTROL.sub("", self.seen + more.decode(errors="replace"))
        shown, _, self.seen = self.seen.partition(expected)
        return shown + expected

    def ask(self, text: str, expected: str) -> str:
        """Send a text, wait for what is expected and for the next prompt; give what was shown before it."""
        self.type(text + "\r")
        shown = self.shows(expected)
        self.shows("haledger>")
        return shown

    def leave(self) -> int:
        return self.process.wait(timeout=120)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prompt")
    study = folder / "study"
    study.mkdir()
    (study / "engine_A.log").write_text(LOG)
    ingest.ingest(study, folder / "haledger.duckdb")
    return folder / "haledger.duckdb"


@pytest.fixture
def terminal(store: Path) -> Iterator[Terminal]:
    opened = Terminal(store.parent, "sql", "--max-rows", "2", columns=60)
    try:
        opened.shows("haledger>")
        yield opened
    finally:
        opened.close()


def test_a_statement_of_several_lines_is_answered_and_remembered(terminal: Terminal, store: Path) -> None:
    terminal.type("select message_id\r")
    terminal.shows("...>")
    assert "V-16-1-10322" in terminal.ask("from vcs_event;", "(1 row)")
    assert "(1 row)" in terminal.ask("select 'a' || 1 as one; select 'b' || 2 as two;", "b2")
    terminal.type("select half\r")
    terminal.shows("...>")
    terminal.type("\x04")  # leaves on an empty line, also below half a statement
    assert terminal.leave() == 0
    remembered = store.parent / "state" / "haledger" / "sql_history"
    assert "+from vcs_event;" in remembered.read_text()
    assert remembered.stat().st_mode & 0o777 == 0o600


def test_commands_tell_what_the_store_holds(terminal: Terminal) -> None:
    assert "cluster_line" in terminal.ask(".tables failover", "relations; .schema NAME")
    assert "One row per line that its format could not read" in terminal.ask(".schema rejected_line", "reason")
    terminal.ask(".schema rejected_lime", "did you mean rejected_line")
    terminal.ask(".help", "Ctrl-C stops a statement")
    terminal.ask(".halp", "did you mean .help")
    terminal.type(".quit\r")
    assert terminal.leave() == 0


def test_tab_completes_the_relation_that_is_read(terminal: Terminal) -> None:
    terminal.type("select * from rejec")
    terminal.shows("rejected_line")
    terminal.type("\t\r")
    terminal.ask(";", "(0 rows)")
    terminal.type("\x04")
    assert terminal.leave() == 0


def test_control_c_stops_the_statement_and_the_prompt_goes_on(terminal: Terminal) -> None:
    terminal.type(ENDLESS + "\r")
    time.sleep(1)  # the statement must run before it can be stopped
    terminal.type("\x03")
    terminal.shows("stopped")
    terminal.shows("haledger>")
    terminal.type("half a statem\x03")
    terminal.shows("haledger>")
    terminal.ask("select 40 + 2 as answer;", "42")
    terminal.type("\x04")
    assert terminal.leave() == 0


def test_a_mistake_is_reported_and_the_prompt_goes_on(terminal: Terminal) -> None:
    terminal.ask("selec 1;", "syntax error")
    terminal.ask("drop table source_file;", "reads the store and nothing else")
    terminal.type("select 'a;' as semicolon -- ;\r")
    terminal.shows("...>")
    terminal.ask(";", "(1 row)")
    terminal.type("quit\r")
    assert terminal.leave() == 0


def test_a_row_wider_than_the_terminal_is_shown_field_by_field(terminal: Terminal) -> None:
    shown = terminal.ask("select repeat('x', 40) as a, repeat('y', 40) as b from range(9);", "--max-rows shows more")
    assert "── 2 ──" in shown
    assert "(2 rows)" in shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", True),
        (".schema run", True),
        ("quit", True),
        ("select 1\nexit", True),
        ("select 1\n.EXIT;", True),
        ("select 1\n\\q", True),
        ("select q", False),
        ("select 1\n.help", True),
        ("select 1", False),
        ("select 1;", True),
        ("select 1; -- said", True),
        ("select 1; /* said */ ", True),
        ("select ';", False),
        ("select 'ä';", True),
        ('select "ä;', False),
        ("select $$;", False),
        ("select 1 -- ;", False),
        ("select 1; select 2", False),
    ],
)
def test_enter_ends_a_statement_behind_its_semicolon(text: str, expected: bool) -> None:  # noqa: FBT001 - a table of cases
    assert is_complete(text) == expected
