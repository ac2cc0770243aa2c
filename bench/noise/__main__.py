"""Counts simulated studies in which the tests of noise notice anything: `python -m bench.noise`."""

import argparse
import sys
from collections.abc import Sequence

from bench.noise.settings import SETTINGS
from bench.noise.simulation import shares


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line a setting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=400, help="studies of each setting (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed (default: %(default)s)")
    parser.add_argument("--only", default="", help="only settings whose name holds this")
    options = parser.parse_args(arguments)
    tests = ("any", "mode_split", "first_run", "autocorrelation", "drift")
    print(f"{'setting':64}" + "".join(f"{each:>16}" for each in tests))
    for setting in SETTINGS:
        if options.only in setting.name:
            found = shares(setting, options.studies, options.seed)
            print(f"{setting.name:64}" + "".join(f"{100 * found.get(each, 0):14.1f} %" for each in tests), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
