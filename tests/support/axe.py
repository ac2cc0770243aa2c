"""A page held against WCAG 2.2 A and AA and good practice by axe-core, where that is fetched."""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
AXE = "HALEDGER_AXE"  # axe.min.js; else ROOT/.axe/axe.min.js
STANDARDS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
OF_COLOURS = ("color-contrast", "link-in-text-block")
"""All that another colour scheme can break."""

FEWER = """
for (const table of document.querySelectorAll("table")) for (const body of [...table.tBodies].slice(25)) body.remove();
for (const body of document.querySelectorAll("tbody")) for (const row of [...body.rows].slice(25)) row.remove();
for (const each of [...document.querySelectorAll("table.behind, .pair")].slice(25)) each.remove();
for (const chart of document.querySelectorAll("svg.chart")) {
  for (const mark of [...chart.querySelectorAll("path[aria-label]")].slice(25)) mark.remove();
}
"""
"""Groups, rows, lists and marks like those before them: axe needs minutes for thousands."""


@cache
def _script() -> str:
    path = Path(os.environ.get(AXE) or ROOT / ".axe" / "axe.min.js")
    if not path.is_file():
        pytest.skip(f"axe-core is not here: `make axe` fetches it; {AXE} may name its axe.min.js")
    return path.read_text(encoding="utf-8")


def prepare(tab: Any) -> None:
    """Bring axe-core into the page that is open; skips the test where it is not here."""
    tab.run(f"{_script()};1")


def violations(tab: Any, *rules: str) -> list[str]:
    """The rules that the page breaks, with their first elements; `rules`: only these."""
    only = {"type": "rule", "values": rules} if rules else {"type": "tag", "values": STANDARDS}
    asked = json.dumps({"resultTypes": ["violations"], "runOnly": only})
    tab.run(f"{FEWER};1")
    found: list[str] = tab.run(
        f"axe.run(document, {asked}).then((result) => result.violations.map((each) => "
        "`${each.id}, ${each.nodes.length} times: ${each.nodes.slice(0, 3).map((node) => node.html.slice(0, 160))}`))"
    )
    return found
