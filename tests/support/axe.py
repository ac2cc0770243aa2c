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

FEWER = """{
const OF_LOOKS = ["class", "style", "role", "scope", "lang", "fill", "stroke", "opacity", "hidden", "open"];
const kind = (element) => [
  element.tagName,
  [...element.attributes].map((each) => (OF_LOOKS.includes(each.name) ? `${each.name}=${each.value}` : each.name)),
  [...element.childNodes].map((each) => (each.tagName ? kind(each) : each.textContent.trim() && "text")),
].join(" ");
const thin = (elements) => {
  const seen = {};
  for (const each of elements) {
    const kinds = new Set(each.children.length ? [...each.children].map(kind) : [kind(each)]);
    if ([...kinds].every((found) => seen[found] >= MOST)) each.remove();
    else for (const found of kinds) seen[found] = (seen[found] || 0) + 1;
  }
};
for (const body of document.querySelectorAll("tbody")) thin([...body.rows]);
for (const table of document.querySelectorAll("table")) thin([...table.tBodies]);
for (const chart of document.querySelectorAll("svg.chart")) thin([...chart.querySelectorAll("path[aria-label]")]);
thin([...document.querySelectorAll("table.behind, .pair")]);
}
""".replace("MOST", "5")
"""Axe needs minutes for thousands of groups, rows, lists and marks: those whose every part has the same elements,
attributes and looks as parts of those before are left out."""


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
