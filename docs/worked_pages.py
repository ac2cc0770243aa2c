"""Pages whose statements and commands are run: docs/cookbook.md, docs/tutorial.md and docs/guide-*.md.

A fenced block `sql` or `sh` is run; a fenced block `text` right after it is what it prints. The pages are written by
hand but for those results: `filled` runs the page and puts them in.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pipeline.ingest import ingest
from pipeline.query import sandbox
from reports.answers.rows import text_of

ROOT = Path(__file__).parents[1]
COOKBOOK = Path(__file__).parent / "cookbook.md"
TUTORIAL = Path(__file__).parent / "tutorial.md"
GUIDES = sorted(Path(__file__).parent.glob("guide-*.md"))

BLOCK = re.compile(
    r"^```(?P<language>sql|sh)(?: (?P<note>[^\n]*))?\n(?P<code>.*?)^```\n(?:\n```text\n(?P<printed>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)
FIRST_STUDY = "failover-2004"


@dataclass(frozen=True, slots=True)
class Block:
    """A statement or some commands of a page. `printed`: what the page says they print; None: it says nothing."""

    language: str
    note: str
    code: str
    printed: str | None


def blocks(page: Path) -> Iterator[Block]:
    """What a page wants to be run, in its order."""
    for found in BLOCK.finditer(page.read_text(encoding="utf-8")):
        yield Block(found["language"], found["note"] or "", found["code"], found["printed"])


def filled(page: Path, run: Callable[[Block], str]) -> str:
    """The page with what `run` gives under each block that has a result."""

    def replaced(found: re.Match[str]) -> str:
        block = Block(found["language"], found["note"] or "", found["code"], found["printed"])
        printed = run(block)
        if block.printed is None:
            return found.group()
        start, end = found.start("printed") - found.start(), found.end("printed") - found.start()
        return found.group()[:start] + printed + found.group()[end:]

    return BLOCK.sub(replaced, page.read_text(encoding="utf-8"))


def missing(block: Block) -> list[str]:
    """The programs that a block says it needs and that are not here: it is left out."""
    return [program for program in block.note.removeprefix("needs ").split() if shutil.which(program) is None]


def cookbook(page: Path, folder: Path) -> str:
    """The cookbook with the results of its statements, each asked of the sample study that its block names."""

    @cache
    def store(study: str) -> Path:
        ingest.ingest(ROOT / "samples" / study, folder / f"{study}.duckdb")
        return folder / f"{study}.duckdb"

    def run(block: Block) -> str:
        result = sandbox.query(store(block.note or FIRST_STUDY), block.code)
        return "".join(text_of(result.frame, "table"))

    return filled(page, run)


def tutorial(page: Path, folder: Path) -> str:
    """The tutorial or a guide with the results of its commands, run one after the other in a folder."""
    found = environment(folder)

    def run(block: Block) -> str:
        if missing(block):
            return block.printed or ""
        command = ["/bin/sh", "-e", "-c", block.code]
        outcome = subprocess.run(command, cwd=folder, env=found, capture_output=True, text=True, check=False)
        if outcome.returncode != 0:
            raise RuntimeError(f"{block.code}\ngave {outcome.returncode}:\n{outcome.stdout}{outcome.stderr}")
        return outcome.stdout

    return filled(page, run)


def environment(folder: Path) -> dict[str, str]:
    """What the commands of a page find: the sample studies below `samples`, and haledger as a command."""
    tools = folder / ".tools"
    tools.mkdir()
    command = tools / "haledger"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m haledger "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    (folder / "samples").symlink_to(ROOT / "samples")
    path = f"{tools}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "100"}
