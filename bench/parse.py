"""Reads and parses one file and keeps nothing: `python -m bench.parse FORMAT FILE`."""

import sys
from operator import attrgetter
from pathlib import Path

from parsers.format import formats
from pipeline.failure import Failure
from pipeline.parallel import run_parallel
from pipeline.reading.lines import Facts, chunks, read_lines
from pipeline.reading.unit import Work, run


def main(name: str, path: str) -> None:
    """Parse a file as an ingest does, up to the rows."""
    with Path(path).open("rb", buffering=0) as stream:
        lines = chunks(read_lines(stream, 1, Facts()), formats()[name].boundary)
        for found in run_parallel(run, (Work(name, each, span_of=1) for each in lines), attrgetter("size")):
            if isinstance(found, Failure):
                raise SystemExit(f"{path}: {name} {found.reason}")


if __name__ == "__main__":
    main(*sys.argv[1:])
