"""The list of modules, modules.md of the site, from the first line of each module's docstring."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("haledger", "reports", "pipeline", "parsers")
"""From the top of the layers down, as imports point."""

HEAD = """\
# Modules

Generated from the docstrings of the modules. Imports point down this page.
"""


def markdown() -> str:
    """Generate the whole page."""
    return "\n".join([HEAD, *(line for package in PACKAGES for line in _rooms(ROOT / package))])


def _rooms(package: Path) -> Iterator[str]:
    """Every folder with Python modules, as a section with a table of its modules."""
    for init in sorted(package.rglob("__init__.py")):
        yield from (f"## {init.parent.relative_to(ROOT).as_posix()}/", "", _first_line(init), "")
        modules = [each for each in sorted(init.parent.glob("*.py")) if each.name[:2] != "__"]
        if modules:
            yield from ("| module | content |", "|---|---|")
            yield from (f"| `{each.stem}` | {_first_line(each)} |" for each in modules)
            yield ""


def _first_line(path: Path) -> str:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return docstring.split("\n\n", 1)[0].replace("\n", " ").replace("|", "\\|")
