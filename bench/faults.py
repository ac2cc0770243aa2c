"""Thirty faults, seeded by hand: `python -m bench.faults` shows which of them the tests find.

    python -m bench.faults                    every fault, the tests of its room first, then all fast tests
    python -m bench.faults --only 3 17        two of them
    python -m bench.faults --campaign         and tests/campaign where the fast tests found nothing
    python -m bench.faults --together --room  all in one copy, and only the tests of the rooms: a first look

Each fault is made in a copy of the checkout. A fault whose text is gone from its file is a mistake of this list.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Fault:
    """A text of a file that becomes a wrong one. `tests`: where a test should find it."""

    file: str
    text: str
    wrong: str
    tests: str


FAULTS = (
    # parsers
    Fault(
        "parsers/messages/vcs_vocabulary.py",
        '"1-10298": "resource_online"',
        '"1-10298": "resource_offline"',
        "tests/parsers/messages/test_vcs_vocabulary.py tests/parsers/messages/test_vcs_message.py",
    ),
    Fault("parsers/syslog/stamps.py", ".then(-east)", ".then(east)", "tests/parsers/syslog/test_stamps.py"),
    Fault("parsers/sysstat/columns.py", '"MB": 1024.0', '"MB": 1000.0', "tests/parsers/sysstat/test_columns.py"),
    Fault(
        "parsers/benchmark/pgbench_log.py",
        'divided(mean_us, 1000)).alias("latency_avg_ms")',
        'divided(mean_us, 1024)).alias("latency_avg_ms")',
        "tests/parsers/benchmark/test_pgbench_log.py",
    ),
    Fault("parsers/secret.py", "    return MASK\n", "        return value\n", "tests/parsers/test_secret.py"),
    Fault(
        "parsers/benchmark/query_times.py",
        "0.001 if is_ms else 1.0",
        "1.0 if is_ms else 0.001",
        "tests/parsers/benchmark/test_query_times.py",
    ),
    Fault(
        "parsers/db2/db2diag_header.py",
        '[ \\t]+"  # minutes east',
        '[ ]+"  # minutes east',
        "tests/parsers/db2/test_db2diag_framing.py tests/parsers/db2/test_db2diag.py",
    ),
    # clock
    Fault(
        "pipeline/clock/year.py",
        "year = latest.year - ((day.month, day.day) > (latest.month, latest.day))",
        "year = latest.year",
        "tests/pipeline/clock/test_year.py",
    ),
    Fault("pipeline/clock/year.py", "anchor.year - 1, ", "", "tests/pipeline/clock/test_year.py"),
    Fault(
        "pipeline/clock/zone.py",
        "first - east, last - east",
        "first + east, last + east",
        "tests/pipeline/clock/test_zone.py",
    ),
    Fault(
        "pipeline/clock/correction.py",
        'pl.when("is_old").then(step)',
        'pl.when("is_old").then(-step)',
        "tests/pipeline/clock/test_correction.py",
    ),
    Fault(
        "pipeline/reading/stamps.py",
        "-pl.duration(days=ROLLOVER_DAYS)",
        "-pl.duration(days=ROLLOVER_DAYS * 3)",
        "tests/pipeline/reading/test_stamps.py tests/pipeline/clock/test_year.py",
    ),
    # discovery, copies, store
    Fault(
        "pipeline/discovery/walk.py",
        "target == root or not target.is_relative_to(root)",
        "target == root",
        "tests/pipeline/discovery/test_walk.py",
    ),
    Fault(
        "pipeline/reading/duplicates.py",
        "yield Range(first + 1, end, _description",
        "yield Range(first + 2, end, _description",
        "tests/pipeline/ingest tests/pipeline/reading",
    ),
    Fault(
        "pipeline/store/sole_writer.py",
        "fcntl.LOCK_EX | fcntl.LOCK_NB",
        "fcntl.LOCK_SH | fcntl.LOCK_NB",
        "tests/pipeline/store/test_store.py",
    ),
    # SQL: milestones, statistics, outcomes
    Fault(
        "pipeline/failover/milestone/milestones.py",
        "printed_us + stamp_us // 2",
        "printed_us + stamp_us",
        "tests/pipeline/failover/milestone/test_milestones.py tests/pipeline/sql/test_failover.py",
    ),
    Fault(
        "pipeline/sql/statistics/milestone_stats.sql",
        "stddev_samp(milestone",
        "stddev_pop(milestone",
        "tests/pipeline/sql/test_statistics.py",
    ),
    Fault(
        "pipeline/sql/macros/half_width.sql", "^ 2 / runs", "^ 2 / (runs - 1)", "tests/pipeline/sql/test_statistics.py"
    ),
    Fault(
        "pipeline/sql/failover/outcome/recovery.sql",
        "2 * runs) - z",
        "2 * runs) + z",
        "tests/pipeline/sql/test_outcome.py",
    ),
    Fault(
        "pipeline/failover/outcome/verdicts.py",
        '_logs_ended,\n        "log_ended"',
        '_logs_ended,\n        "recovered"',
        "tests/pipeline/failover/outcome/test_verdicts.py tests/pipeline/sql/test_outcome.py",
    ),
    Fault(
        "pipeline/sql/statistics/measurement_ratio.sql",
        "mean_comparison.ratio as relative_ratio",
        "1 / mean_comparison.ratio as relative_ratio",
        "tests/pipeline/sql/test_measurement.py",
    ),
    Fault(
        "pipeline/sql/failover/fault/db2diag_gap.sql",
        "lag(next_offset)",
        "lead(next_offset)",
        "tests/pipeline/sql/test_db2.py",
    ),
    Fault(
        "pipeline/sql/staging/run_range.sql",
        "least(last_at",
        "greatest(last_at",
        "tests/pipeline/sql/test_run_range.py",
    ),
    # answers, reports, commands
    Fault(
        "pipeline/ask/check/verdict.py",
        "if len(at_both_ends) > 1",
        "if len(at_both_ends) > 2",
        "tests/pipeline/ask/check/test_verdict.py",
    ),
    Fault(
        "pipeline/sql/findings/measurement/few_runs.sql",
        "where used_count < 5 and",
        "where used_count < 3 and",
        "tests/pipeline/sql/test_statistics.py",
    ),
    Fault("reports/numbers.py", "rounding=ROUND_HALF_UP)", 'rounding="ROUND_FLOOR")', "tests/reports/test_numbers.py"),
    Fault(
        "reports/numbers.py",
        "min(MOST_DECIMALS, own_decimals(value), 3 - floor",
        "min(MOST_DECIMALS, own_decimals(value), 2 - floor",
        "tests/reports/test_numbers.py",
    ),
    Fault(
        "reports/typeset/escape.py",
        "LATEX.get(character, character)",
        "character",
        "tests/reports/typeset/test_escape.py tests/reports/tables",
    ),
    Fault(
        "reports/findings/highlights.py",
        'for name in ("reference_mean_s", "mean_s"))',
        'for name in ("mean_s", "reference_mean_s"))',
        "tests/reports/findings/test_highlights.py",
    ),
    Fault(
        "pipeline/errors.py",
        'was not written by haledger."""\n\n    exit_code = 4',
        'was not written by haledger."""\n\n    exit_code = 1',
        "tests/haledger tests/house",
    ),
)


def main(arguments: list[str] | None = None) -> int:
    """Seed the faults and print what found each; 1 if one was not found."""
    options = _options().parse_args(arguments)
    numbers = options.only or range(1, len(FAULTS) + 1)
    chosen = {number: FAULTS[number - 1] for number in numbers}
    with tempfile.TemporaryDirectory(prefix="haledger-faults-") as folder:
        copy = _copied(Path(folder))
        if options.together:
            for fault in chosen.values():
                _seed(copy, fault)
            tests = sorted({each for fault in chosen.values() for each in fault.tests.split()})
            print("\n".join(_failed(copy, tests, stop=False)))
            return 0
        missed = 0
        for number, fault in chosen.items():
            found = _finder(copy, fault, is_room_only=options.room, has_campaign=options.campaign)
            missed += not found
            print(f"{number:2} {fault.file}: `{fault.wrong.strip()}`: {found or 'NOT FOUND'}", flush=True)
    return int(missed > 0)


def _finder(copy: Path, fault: Fault, *, is_room_only: bool, has_campaign: bool) -> str | None:
    """The speed of proof and the first test that finds a fault."""
    before = _seed(copy, fault)
    speeds: dict[str, Sequence[str]] = {"room": fault.tests.split()}
    if not is_room_only:
        speeds["fast"] = ["tests", "--ignore=tests/campaign"]
    if has_campaign:
        speeds["campaign"] = ["tests", "--campaign", "--hypothesis-profile=full"]
    try:
        for speed, tests in speeds.items():
            if failed := _failed(copy, tests, stop=True):
                return f"{speed}, {failed[0]}"
    finally:
        (copy / fault.file).write_text(before, encoding="utf-8")
    return None


def _seed(copy: Path, fault: Fault) -> str:
    """Put a fault into its file; give the text before."""
    before = (copy / fault.file).read_text(encoding="utf-8")
    if before.count(fault.text) != 1:
        raise SystemExit(f"{fault.file}: `{fault.text}` is in it {before.count(fault.text)} times, expected once")
    (copy / fault.file).write_text(before.replace(fault.text, fault.wrong), encoding="utf-8")
    return before


def _failed(copy: Path, tests: Iterable[str], *, stop: bool) -> list[str]:
    """The tests that fail, or how pytest ended if that was otherwise."""
    found = subprocess.run(
        [sys.executable, "-m", "pytest", *tests, *["-x"] * stop, "-q", "--tb=no", "-p", "no:cacheprovider"],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line.split(" - ")[0] for line in found.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return lines or ([f"pytest ended with {found.returncode}"] if found.returncode else [])


def _copied(folder: Path) -> Path:
    """A copy of the files that the project's version control knows."""
    copy = folder / "checkout"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copy / name)
    return copy


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.faults", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", type=int, nargs="+", metavar="N", help="numbers of faults, from 1")
    parser.add_argument("--room", action="store_true", help="run only the tests of the fault's room")
    parser.add_argument("--campaign", action="store_true", help="run also the campaign where nothing else finds it")
    parser.add_argument("--together", action="store_true", help="seed all of them at once and list the tests that fail")
    return parser


if __name__ == "__main__":
    sys.exit(main())
