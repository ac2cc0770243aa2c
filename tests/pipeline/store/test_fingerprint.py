"""What decides that a file is read again: no module that leads to rows may be left out."""

import ast

from pipeline.store.fingerprint import ASK

PIPELINE = ASK.parent


def test_nothing_that_reads_a_file_imports_what_only_asks_a_store() -> None:
    for path in PIPELINE.rglob("*.py"):
        if not path.is_relative_to(ASK):
            imported = [
                each for each in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(each, ast.ImportFrom)
            ]
            assert not [each.module for each in imported if str(each.module).startswith("pipeline.ask")], path
