"""Reads and parses one file and keeps nothing: `python -m bench.parse FORMAT FILE`."""

import sys
from functools import partial
from pathlib import Path

from parsers.format import formats
from pipeline.in_order import THREADS, in_order
from pipeline.parsed_chunk import parse_chunk
from pipeline.reading import Facts, chunks, read_lines


def main(name: str, path: str) -> None:
    """Parse a file as an ingest does, up to the rows."""
    parser = formats()[name]
    with Path(path).open("rb", buffering=0) as stream:
        lines = chunks(read_lines(stream, 1, Facts()), parser.boundary)
        for _ in in_order(partial(parse_chunk, parser), lines, THREADS):
            pass


if __name__ == "__main__":
    main(*sys.argv[1:])
