"""What decides that a file is read again: no module that leads to rows may be left out."""

import ast
from collections.abc import Iterator
from pathlib import Path

from pipeline.fingerprint import BESIDE_READING

PIPELINE = Path(__file__).parents[2] / "pipeline"


def imported(module: str) -> Iterator[str]:
    """Modules of the pipeline that one of them imports, anywhere in it."""
    for node in ast.walk(ast.parse((PIPELINE / f"{module}.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "pipeline":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and str(node.module).startswith("pipeline."):
            yield str(node.module).removeprefix("pipeline.")


def reached(modules: set[str]) -> set[str]:
    """The modules and all that they import, directly or not."""
    more = {each for module in modules for each in imported(module)} - modules
    return reached(modules | more) if more else modules


def test_what_reads_parses_remembers_and_dates_a_file_decides_its_rows() -> None:
    deciding = reached({"parsing", "ledger", "clock", "staging", "store"})
    assert {"reading", "recognition", "stamps", "year", "zone", "manifest"} <= deciding
    assert deciding & BESIDE_READING == set()


def test_modules_beside_reading_exist() -> None:
    assert {name for name in BESIDE_READING if not (PIPELINE / f"{name}.py").is_file()} == set()
