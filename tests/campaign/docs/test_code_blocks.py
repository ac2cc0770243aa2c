"""Every code block of every page is run or read: what is shown is what is so.

Elsewhere: the cookbook, tutorial and guides (`test_pages.py`), Python (`test_other_clients.py`), generated pages. Here:
blocks of commands, commands with what they print (`$ haledger ...`; `...` stands for lines left out), blocks of data.
"""

import os
import re
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from docs import site, worked_pages
from tests.support.command import Outcome, haledger

ROOT = Path(__file__).parents[3]
ELSEWHERE = {
    "cookbook.md",
    "tutorial.md",
    "cli.md",
    "formats.md",
    *(each.name for each in worked_pages.GUIDES),
    *site.BUILT,
}
BLOCK = re.compile(r"^```(?P<language>[^\n]*)\n(?P<code>.*?)^```", re.MULTILINE | re.DOTALL)
TALK = {
    "install.md",
    "trace.md",
    "compare.md",
    "README.md",
    "sql.md",
    "notebooks.md",
    "check.md",
    "hadr-planning.md",
    "init.md",
    "verify.md",
    "why.md",
}
"""The pages that show commands: a page that begins to is noticed."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A command of a page, and the lines that the page says it prints; None: it says nothing."""

    page: str
    command: str
    printed: tuple[str, ...] | None


def pages() -> Iterator[Path]:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        if page.name not in ELSEWHERE:
            yield page


def blocks() -> Iterator[tuple[str, str, str]]:
    for page in pages():
        for found in BLOCK.finditer(page.read_text(encoding="utf-8")):
            yield page.name, found["language"], found["code"]


def commands() -> list[Shown]:
    """The lines `haledger ...` and `$ haledger ...` of every block."""
    shown = []
    for page, _, code in blocks():
        lines = code.splitlines()
        for index, line in enumerate(lines):
            if line.startswith("$ haledger "):
                rest = lines[index + 1 :]
                end = next((at for at, each in enumerate(rest) if each.startswith("$ ")), len(rest))
                shown.append(Shown(page, line[2:], tuple(rest[:end])))
            elif line.startswith("haledger"):
                shown.append(Shown(page, line, None))
    return shown


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder such as the pages speak of: the samples and a study of one's own; README.md first writes its report."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "samples").symlink_to(ROOT / "samples")
    shutil.copytree(ROOT / "samples" / "failover-2004", folder / "my-study")
    (folder / "question.sql").write_text("select configuration, run from run")
    return folder


@pytest.fixture(scope="module")
def planning(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of its own: the page on planning writes a report there."""
    folder = tmp_path_factory.mktemp("planning")
    (folder / "samples").symlink_to(ROOT / "samples")
    return folder


@pytest.fixture(scope="module")
def modern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("modern")
    (folder / "samples").symlink_to(ROOT / "samples")
    assert haledger("report", "samples/failover-modern", "-o", "mod-report", cwd=folder).returncode == 0
    return folder


def run(shown: Shown, folder: Path) -> Outcome:
    words = [each.replace(r"\$", "$") for each in shlex.split(shown.command, comments=True)]
    if ">" in words:
        words = words[: words.index(">")]
    environment = {"PATH": os.environ["PATH"], "COLUMNS": "100", "NO_COLOR": "1"}
    return haledger(*words[1:], cwd=folder, stdin="", environment=environment)


def missing(printed: tuple[str, ...], output: list[str]) -> list[str]:
    """The lines of a page that are not in the output, in their order; blank ones and `...` aside."""
    rest, absent = iter(each.rstrip() for each in output), []
    for line in printed:
        if line.strip() in {"", "..."}:
            continue
        wanted = line.rstrip().removesuffix(" ...").removesuffix("...")
        if not any(each.startswith(wanted) if wanted != line.rstrip() else each == wanted for each in rest):
            absent.append(line)
            rest = iter(each.rstrip() for each in output)
    return absent


def test_a_page_that_shows_commands_is_known() -> None:
    assert {each.page for each in commands()} == TALK


@pytest.mark.slow
def test_commands_of_the_pages_work_and_print_what_they_say(here: Path, planning: Path, modern: Path) -> None:
    wrong = []
    for shown in commands():
        if shown.command == "haledger sql" or shown.command.startswith(("haledger demo", "haledger history n1")):
            continue  # a prompt, what test_demo.py runs, and stores of three nights that no sample has
        own = planning if shown.page == "hadr-planning.md" else here
        outcome = run(shown, modern if "mod-report" in shown.command else own)
        if outcome.returncode != 0:
            wrong.append(f"{shown.page}: {shown.command}: exit {outcome.returncode}: {outcome.stderr}")
        elif shown.printed is not None:
            absent = missing(shown.printed, outcome.stdout.splitlines())
            wrong += [f"{shown.page}: {shown.command}: does not print: {each}" for each in absent]
    assert wrong == []


def test_blocks_of_data_can_be_read() -> None:
    languages = set()
    for page, language, code in blocks():
        languages.add(language.partition(" ")[0])
        if language == "toml":
            assert tomllib.loads(code), page
        if language == "csv":
            assert {line.count(",") for line in code.splitlines()} == {3}, page
    assert languages <= {"", "sh", "toml", "csv", "python", "r", "text", "yaml"}


def test_a_line_that_is_not_printed_is_noticed() -> None:
    assert missing(("a 1", "...", "c"), ["a 1", "b", "c"]) == []
    assert missing(("a 1", "b 2 ..."), ["a 1", "b 2 and more"]) == []
    assert missing(("a 1", "c 4"), ["a 1", "c 3"]) == ["c 4"]
