"""Measures haledger beside other tools: `python -m bench`; see docs/benchmarks.md."""

import argparse
import sys
import tempfile
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path

from bench.processes import Cost
from bench.results import HISTORY, entries, keep, results, table
from bench.subjects import Sizes, Subject, missing_tools, subjects


def main(arguments: list[str] | None = None) -> int:
    """Write the logs, measure in rounds, print the table and append to the history."""
    options = _options().parse_args(arguments)
    for tool in missing_tools():
        print(f"{tool} is not installed and left out", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="haledger-bench-") as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        print(f"writing logs of {options.mb} MB each", file=sys.stderr)
        measured = list(subjects(folder, _sizes(options)))
        found = results(measured, _measured(measured, options.rounds), entries(options.history))
    print("\n".join(table(found)))
    keep(found, options.history, datetime.now(tz=UTC).date())
    return 0


def _measured(subjects: list[Subject], rounds: int) -> dict[str, list[Cost]]:
    """Each subject once a round, so that a busy minute of the machine falls on all of them."""
    costs: dict[str, list[Cost]] = defaultdict(list)
    for number in range(rounds):
        for each in subjects:
            print(f"round {number + 1} of {rounds}: {each.name}", file=sys.stderr)
            each.prepare()
            costs[each.name].append(each.run())
    return costs


def _sizes(options: argparse.Namespace) -> Sizes:
    log = round(options.mb * 1e6)
    large = round(options.large_mb * 1e6)
    return Sizes(log, min(log, 20_000_000), round(options.small_mb * 1e6), options.small_files, large)


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--mb", type=float, default=100, help="size of each log in MB (default: 100)")
    parser.add_argument("--large-mb", type=float, default=500, help="size of the longer logs in MB; 0: none")
    parser.add_argument("--small-mb", type=float, default=1, help="size of each of the many files in MB (default: 1)")
    parser.add_argument("--small-files", type=int, default=60, help="how many files (default: 60)")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is measured (default: 3)")
    parser.add_argument("--folder", type=Path, help="keep the logs there, to use them again")
    parser.add_argument("--history", type=Path, default=HISTORY, help="file to append the results to")
    return parser


if __name__ == "__main__":
    sys.exit(main())
