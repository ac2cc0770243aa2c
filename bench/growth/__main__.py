"""Probes how patterns and parsers grow: `python -m bench.growth`; see docs/benchmarks.md."""

import argparse
import multiprocessing
import sys

from bench.growth.facts import SIZES, cpu_s, labs
from bench.growth.patterns import patterns, slow
from bench.growth.probe import probe
from bench.growth.seeds import seeds
from parsers.format import formats


def main() -> int:
    """Probe what was asked for; each format in a process of its own, which may hang or end."""
    options = _options()
    faults = 0
    if options.facts:
        for lab in labs(SIZES):
            print(f"{lab.files:>9,} files, {lab.name}: {cpu_s(lab):.2f} CPU s", flush=True)
        return 0
    for each in patterns() if options.format is None else ():
        if found := slow(each):
            faults += 1
            print(found)
    found_seeds = {} if options.patterns else seeds(options.seeds)
    for name in [options.format] if options.format else found_seeds:
        arguments = (name, found_seeds.get(name, []), options.shape)
        process = multiprocessing.get_context("spawn").Process(
            target=probe, args=arguments, kwargs={"is_apart": options.apart}
        )
        process.start()
        process.join()
        faults += process.exitcode != 0
    return 1 if faults else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.growth", description=__doc__)
    parser.add_argument("--patterns", action="store_true", help="the patterns alone")
    parser.add_argument("--facts", action="store_true", help="what is resolved of all files at once, and nothing else")
    parser.add_argument("--format", choices=sorted(formats()), help="this format alone, without the patterns")
    parser.add_argument("--shape", default="", help="shapes that have this in their name (default: all)")
    parser.add_argument("--apart", action="store_true", help="a shape for each token, to see what a format is slow on")
    parser.add_argument("--seeds", type=int, default=2, help="files of each format to start from (default: 2)")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
