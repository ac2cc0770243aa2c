"""Tries damaged files of every format: `python -m bench.mutants --count 100000`; see docs/benchmarks.md."""

import argparse
import sys
from pathlib import Path

from bench.growth.seeds import seeds
from bench.mutants.trial import faults


def main() -> int:
    """Print each kind of fault once, keep the files, and count."""
    options = _options()
    found = seeds(options.seeds)
    if options.format:
        found = {options.format: found[options.format]}
    kinds: dict[tuple[str, str], int] = {}
    for fault in faults(found, options.count, options.seed):
        kind = (fault.format, fault.what.partition(":")[0] + fault.what.partition(" ")[2][:60])
        kinds[kind] = kinds.get(kind, 0) + 1
        if kinds[kind] == 1:
            print(f"{fault.format}: {fault.what}", flush=True)
            if options.folder:
                options.folder.mkdir(parents=True, exist_ok=True)
                (options.folder / f"{fault.format}-{len(kinds):03}").write_bytes(fault.content)
    print(f"{sum(kinds.values())} faults of {len(kinds)} kinds in {options.count:,} files of {len(found)} formats")
    return 1 if kinds else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=100_000, help="files to try (default: 100000)")
    parser.add_argument("--seed", type=int, default=15, help="of the damage (default: 15)")
    parser.add_argument("--seeds", type=int, default=12, help="files of each format to damage (default: 12)")
    parser.add_argument("--format", help="this format alone")
    parser.add_argument("--folder", type=Path, help="keep a file of each kind of fault there")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
