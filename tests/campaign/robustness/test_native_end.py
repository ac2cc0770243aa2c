"""A file at which native code ends the process costs that file."""

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

ROOT = Path(__file__).parents[3]

# Python imports it first of all, in the command and in its child
PLANT = """
import sys
from importlib.abc import MetaPathFinder
from importlib.util import find_spec

class Planted(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name != "pipeline.reading.unit":
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        execute = spec.loader.exec_module

        def execute_planted(module):
            execute(module)
            found = module.format_of

            def format_of(*arguments):
                import ctypes, dataclasses, os, sys
                parser = found(*arguments)

                def parse(lines):
                    text = lines["text"].str.join().item()
                    if "aborts" in text:
                        os.abort()
                    if "faults" in text:
                        ctypes.string_at(0)
                    if "overflows" in text:
                        sys.setrecursionlimit(10**9)
                        deeper = lambda x: sorted([x], key=deeper)
                        deeper(0)
                    return parser.parse(lines)

                return dataclasses.replace(parser, parse=parse)

            module.format_of = format_of

        spec.loader.exec_module = execute_planted
        return spec

sys.meta_path.insert(0, Planted())
"""


@pytest.mark.parametrize("bad", [("aborts", "faults"), ("overflows",), ("overflows", "thread")])
def test_a_file_that_ends_its_process_is_unreadable_and_all_else_is_read(tmp_path: Path, bad: tuple[str, ...]) -> None:
    study, scratch = tmp_path / "study", tmp_path / "scratch"
    for folder in (study, scratch, tmp_path / "plant"):
        folder.mkdir()
    (tmp_path / "plant" / "sitecustomize.py").write_text(PLANT)
    if "thread" in bad:  # which reads several units
        (study / "engine_A.log").write_text(
            "2026/03/02 10:00:00 VCS INFO V-16-1-10077 Received new cluster membership\n"
        )
    bad = tuple(each for each in bad if each != "thread")
    for name in ("well", *bad):
        (study / f"messages.{name}").write_text(f"Mar  2 10:00:00 alder app[7]: {name} here\n")
    done = subprocess.run(
        [sys.executable, "-m", "haledger", "ingest", str(study), "--db", str(tmp_path / "x.duckdb")],
        check=False,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": f"{tmp_path / 'plant'}{os.pathsep}{ROOT}", "TMPDIR": str(scratch)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "beginning again" in done.stderr
    with duckdb.connect(str(tmp_path / "x.duckdb"), read_only=True) as con:
        found = dict(con.execute("select path, coalesce(reason, '') from main.source_file").fetchall())
        states = [
            each
            for (each,) in con.execute(
                "select status from main.source_file where path like 'messages%' order by path"
            ).fetchall()
        ]
    assert states == [*["unreadable"] * len(bad), "parsed"]
    for name in bad:
        assert ("SIGABRT" if name == "aborts" else "SIGSEGV") in found[f"messages.{name}"]
    assert list(scratch.iterdir()) == []
    assert sorted(each.name for each in tmp_path.iterdir()) == ["plant", "scratch", "study", "x.duckdb"]
