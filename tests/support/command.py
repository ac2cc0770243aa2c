"""haledger's command line called in this process, with streams, folder and environment of its own."""

import contextlib
import math
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any
from unittest import mock

from haledger.cli import main

Outcome = subprocess.CompletedProcess[str]


def haledger(
    *arguments: str | Path, cwd: Path, stdin: str | None = None, environment: Mapping[str, str] | None = None
) -> Outcome:
    """Run a command as `python -m haledger` would, without the second that its imports take.

    What belongs to a process (signals, pipes, terminals, memory, what `--help` imports) needs a process. It says
    nothing about taking long, so that a slow machine changes no output.
    """
    given = [str(each) for each in arguments]
    with (
        tempfile.TemporaryDirectory() as folder,
        _stream(Path(folder) / "stdin", stdin or "") as source,
        _stream(Path(folder) / "stdout", "") as output,
        _stream(Path(folder) / "stderr", "") as talk,
        contextlib.chdir(cwd),
        mock.patch.dict(os.environ, environment or {"PATH": ""}, clear=True),
        mock.patch("haledger.progress_lines.FIRST_LINE_S", math.inf),
        mock.patch("sys.stdin", source),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(talk),
    ):
        code = main(given)
        return subprocess.CompletedProcess(given, code, _text(output), _text(talk))


def ran(*command: str | Path, **options: Any) -> Outcome:
    """Run another program to its end, however it ends."""
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


@contextlib.contextmanager
def _stream(file: Path, text: str) -> Iterator[IO[str]]:
    file.write_text(text, encoding="utf-8")
    with file.open("r+", encoding="utf-8", errors="backslashreplace") as stream:
        yield stream


def _text(stream: IO[str]) -> str:
    stream.flush()
    return Path(stream.name).read_text(encoding="utf-8")
