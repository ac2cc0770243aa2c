"""A file at which native code ends the process, or takes all memory or time, costs that file, in any format."""

import os
import re
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import duckdb
import pytest

from parsers.format import formats

ROOT = Path(__file__).parents[3]

KINDS = {
    "aborts": "SIGABRT",
    "faults": "SIGSEGV",
    "fills": "SIGABRT",
    "loops": "too much time of the processor|takes longer than",
    "overflows": "SIGSEGV",
}
"""What a parser is made to do at a file that says so, and a pattern of the reason."""

USUAL = tuple(KINDS)[:4]

NAMES = sorted(formats())
GROUPS = [NAMES[start::14] for start in range(14)] if "HALEDGER_NATIVE_ENDS" in os.environ else [NAMES[::25]]

ADDRESS_SPACE = 32 << 30
"""So that 100 GB are refused on machines that promise more than they have, too."""

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
            from pipeline import parallel
            parallel.LEAST_S = 5.0
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
                    if "fills" in text:
                        import polars
                        polars.repeat(0.0, 12_500_000_000, eager=True)
                    while "loops" in text:
                        pass
                    return parser.parse(lines)

                return dataclasses.replace(parser, parse=parse)

            module.format_of = format_of

        spec.loader.exec_module = execute_planted
        return spec

sys.meta_path.insert(0, Planted())
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "kinds"),
    [
        pytest.param(["syslog"], ["overflows"], id="one unit"),
        pytest.param(["syslog", "vcs_engine"], ["overflows"], id="units in threads"),
        *(pytest.param(group, USUAL, id=" ".join(group)) for group in GROUPS),
    ],
)
def test_files_that_end_their_process_are_unreadable_and_all_else_is_read(
    names: list[str], kinds: Sequence[str], tmp_path: Path
) -> None:
    study, scratch = tmp_path / "study", tmp_path / "scratch"
    for folder in (study, scratch, tmp_path / "plant"):
        folder.mkdir()
    (tmp_path / "plant" / "sitecustomize.py").write_text(PLANT)
    for name in names:
        for kind in ("well", *kinds):
            (study / f"{name}.{kind}").write_text(f"Mar  2 10:00:00 alder app[7]: {kind} here\n")
    (study / "study.toml").write_text("".join(f'[[files]]\nmatch = "{name}.*"\nformat = "{name}"\n' for name in names))
    with subprocess.Popen(
        [sys.executable, "-m", "haledger", "ingest", str(study), "--db", str(tmp_path / "x.duckdb")],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": f"{tmp_path / 'plant'}{os.pathsep}{ROOT}", "TMPDIR": str(scratch)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE)),  # noqa: PLW1509  as `ulimit`
    ) as process:
        assert process.stderr is not None
        errors = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, errors
    assert "beginning again" in errors
    assert used.ru_utime + used.ru_stime < 60 * len(names)
    assert used.ru_maxrss < 2 << 20  # KiB, of the command and of each process that it started
    with duckdb.connect(str(tmp_path / "x.duckdb"), read_only=True) as con:
        rows = con.execute("select path, status, coalesce(reason, '') from main.source_file").fetchall()
    found = {path: (status, reason) for path, status, reason in rows if path != "study.toml"}
    assert {path: status for path, (status, _) in found.items()} == {
        f"{name}.{kind}": "parsed" if kind == "well" else "unreadable" for name in names for kind in ("well", *kinds)
    }
    wrong = [path for path, (_, reason) in found.items() if not re.search(KINDS.get(path.split(".")[1], ""), reason)]
    assert wrong == [], found
    assert list(scratch.iterdir()) == []
    assert sorted(each.name for each in tmp_path.iterdir()) == ["plant", "scratch", "study", "x.duckdb"]
