"""docs/promises.md quotes sentences of pages and names the tests that prove them: both must be there."""

import re
from pathlib import Path

import pytest

from docs import site

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "promises.md"
ROW = re.compile(r"^\| (?P<promise>.+) \| (?P<proofs>`.+`) \|$")
PROOF = re.compile(r"`(?P<file>[\w/]+\.py)::(?P<name>test_\w+)`")


def promises() -> list[tuple[str, str, str]]:
    """Page, quotation and proofs of each row."""
    found = []
    page = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        page = line.removeprefix("## ") if line.startswith("## ") else page
        if row := ROW.match(line):
            found.append((page, row["promise"], row["proofs"]))
    return found


def words(text: str) -> str:
    return " ".join(text.replace("│", " ").split())


@pytest.mark.parametrize("page", sorted({page for page, _, _ in promises()}))
def test_pages_hold_what_is_quoted(page: str) -> None:
    text = words((ROOT / page).read_text(encoding="utf-8"))
    assert [promise for at, promise, _ in promises() if at == page and words(promise) not in text] == []


def test_every_proof_is_a_test() -> None:
    known = {
        f"{file.relative_to(ROOT / 'tests').as_posix()}::{name}"
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    named = [f"{found['file']}::{found['name']}" for _, _, proofs in promises() for found in PROOF.finditer(proofs)]
    assert len(named) >= len(promises()) > 70
    assert [each for each in named if each not in known] == []


def test_every_page_for_people_is_gone_through() -> None:
    generated = {"architecture", "formats", "gallery", "benchmarks", "promises"}
    pages = {
        f"docs/{file.name}"
        for file in PAGE.parent.glob("*.md")
        if file.stem not in generated and file.name not in site.BUILT
    }
    assert pages | {"README.md", "SECURITY.md"} == {page for page, _, _ in promises()}
