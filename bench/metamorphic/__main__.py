"""Vary studies in ways that change no failover and count what comes out: `python -m bench.metamorphic`."""

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench.metamorphic.cuts import RECORDED, scored
from bench.metamorphic.judge import WRONG, Result, base_of, result_of, verdict
from bench.metamorphic.studies import STUDIES, Sample
from bench.metamorphic.variations import Variation, variations
from pipeline.errors import HaledgerError
from pipeline.ingest.ingest import ingest


def main() -> int:
    """Print a line for each variation that is not the same, then the counts; or how cuts score. 1: one is wrong."""
    options = _options()
    return _cut(options) if options.cuts else _varied(options)


def _varied(options: argparse.Namespace) -> int:
    counts: Counter[str] = Counter()
    for sample in STUDIES:
        if options.study and options.study not in sample.name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            wanted = [each for each in variations() if options.variation in each.name]
            for each, (found, text) in compared(sample, Path(folder), wanted):
                counts[found] += 1
                if text or options.verbose:
                    print(f"{found:5} {sample.name}: {each.name}: {text}", flush=True)
    print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    return 1 if counts[WRONG] else 0


def _cut(options: argparse.Namespace) -> int:
    is_good = True
    print("study, place | found | fault inside | from first symptom | width s, least to median | orders turned round")
    for name in [each for each in RECORDED if options.study in each]:
        with tempfile.TemporaryDirectory() as folder:
            scores = scored(name, Path(folder), options.cuts)
        for way, score in scores.items():
            print(
                "\n    ".join([f"{name}, {way} | {score.row()}", *(score.misses if options.verbose else ())]),
                flush=True,
            )
            is_good &= score.is_good
    return 0 if is_good else 1


def compared(sample: Sample, folder: Path, wanted: Iterable[Variation]) -> Iterator[tuple[Variation, tuple[str, str]]]:
    """Variations of a study, each with the verdict on it and what differs."""
    study = sample.write(folder / "base")
    base = _ingested(study, folder / "base.duckdb")
    facts = base_of(folder / "base.duckdb")
    for each in wanted:
        varied = folder / "varied"
        shutil.copytree(study, varied)
        each.change(varied, facts)
        try:
            result = _ingested(varied, folder / "varied.duckdb")
            names = {f"logs/{name.configuration}": name.configuration for name in base.failovers}
            yield each, verdict(base, result, each.promise, names)
        except HaledgerError as error:
            yield each, (WRONG, f"refused: {error}")
        shutil.rmtree(varied)


def _ingested(study: Path, db: Path) -> Result:
    ingest(study, db, replace=True)
    return result_of(db)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.metamorphic", description=__doc__)
    parser.add_argument("--study", default="", help="studies that have this in their name (default: all)")
    parser.add_argument("--variation", default="", help="variations that have this in their name (default: all)")
    parser.add_argument("--cuts", type=int, default=0, metavar="COUNT", help="cut recorded studies so often instead")
    parser.add_argument("--verbose", action="store_true", help="also those that are the same; of cuts those missed")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
