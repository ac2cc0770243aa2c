"""What the measurements came to: a table to look at, lines to keep."""

import json
import os
import platform
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from pathlib import Path

from bench.processes import MEBIBYTE, Cost, first_line
from bench.subjects import Subject
from pipeline.version import version as own_version

HISTORY = Path(__file__).parent / "history.jsonl"


@dataclass(frozen=True, slots=True)
class Result:
    """The median run of a subject. `net_s`: without start-up; `ratio`: its time for a byte by that of `against`.

    `stored_share`: bytes of the store by bytes read. `further_s`, `further_cpu_s`: seconds of a further 100 MB, by the
    difference of a shorter and a longer log.
    """

    name: str
    bytes: int
    wall_s: float
    net_s: float
    cpu_s: float
    peak_mib: float
    against: str | None = None
    ratio: float | None = None
    stored_share: float | None = None
    further_s: float | None = None
    further_cpu_s: float | None = None


def results(subjects: Sequence[Subject], costs: Mapping[str, Sequence[Cost]]) -> list[Result]:
    """One result per subject, in their order."""
    median = {name: sorted(runs, key=lambda run: run.wall_s)[(len(runs) - 1) // 2] for name, runs in costs.items()}
    net_s = {
        each.name: max(1e-9, median[each.name].wall_s - (median[each.start_up].wall_s if each.start_up else 0.0))
        for each in subjects
    }
    cpu_s = {name: statistics.median(run.cpu_s for run in runs) for name, runs in costs.items()}
    wall_s = {name: run.wall_s for name, run in median.items()}
    sizes = {each.name: each.bytes for each in subjects}
    by_byte = {each.name: net_s[each.name] / each.bytes for each in subjects if each.bytes}
    return [
        Result(
            name=each.name,
            bytes=each.bytes,
            wall_s=median[each.name].wall_s,
            net_s=net_s[each.name],
            cpu_s=cpu_s[each.name],
            peak_mib=max(run.peak_mib for run in costs[each.name]),
            against=each.against,
            ratio=by_byte[each.name] / by_byte[each.against] if each.against in by_byte and each.bytes else None,
            stored_share=each.store.stat().st_size / each.bytes
            if each.store and each.bytes and each.store.exists()
            else None,
            further_s=_further(each, sizes, wall_s),
            further_cpu_s=_further(each, sizes, cpu_s),
        )
        for each in subjects
    ]


def _further(subject: Subject, sizes: Mapping[str, int], seconds: Mapping[str, float]) -> float | None:
    """Seconds of a further 100 MB: what is left where everything that is paid once is taken off."""
    shorter = subject.longer_than
    if shorter is None:
        return None
    return (seconds[subject.name] - seconds[shorter]) / (subject.bytes - sizes[shorter]) * 1e8


def table(found: Sequence[Result]) -> Iterator[str]:
    """The results as lines of text."""
    yield f"{'':32}{'MB':>7}{'s':>9}{'net s':>9}{'cpu s':>9}{'MB/s':>8}{'peak MiB':>10}{'ratio':>8}  to"
    for each in found:
        speed = f"{each.bytes / 1e6 / each.net_s:8.0f}" if each.bytes else " " * 8
        ratio = f"{each.ratio:8.2f}  {each.against}" if each.ratio is not None else ""
        yield (
            f"{each.name:32}{each.bytes / 1e6:7.0f}{each.wall_s:9.2f}{each.net_s:9.2f}{each.cpu_s:9.2f}"
            f"{speed}{each.peak_mib:10.0f}{ratio}"
        )
    yield ""
    yield f"{'seconds of a further 100 MB':32}{'s':>9}{'cpu s':>9}{'times rg':>10}{'store/log':>11}"
    of_search = {each.name.partition(":")[0]: each.further_s for each in found if ": rg" in each.name}
    for each in found:
        if each.further_s is not None and each.further_cpu_s is not None:
            searched = of_search.get(each.name.partition(":")[0])
            times = f"{each.further_s / searched:10.1f}" if searched else " " * 10
            share = f"{each.stored_share:11.2f}" if each.stored_share is not None else ""
            yield f"{each.name:32}{each.further_s:9.2f}{each.further_cpu_s:9.2f}{times}{share}"


def keep(found: Iterable[Result], history: Path, today: date) -> None:
    """Append the results to a file, a line each. Nothing in it shows whose machine it was."""
    about = {
        "date": today.isoformat(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory_mib": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // MEBIBYTE,
        "haledger": own_version(),
        "python": platform.python_version(),
        **{name: version(name) for name in ("polars", "duckdb")},
        **{name: first_line([name, option]) for name, option in (("rg", "--version"), ("lnav", "-V"), ("jc", "-v"))},
    }
    with history.open("a", encoding="utf-8") as file:
        for each in found:
            line = {
                "measured": each.name,
                "bytes": each.bytes,
                "wall_s": round(each.wall_s, 3),
                "net_s": round(each.net_s, 3),
                "cpu_s": round(each.cpu_s, 3),
                "peak_mib": round(each.peak_mib),
                "against": each.against,
                "ratio": _rounded(each.ratio),
                "stored_share": _rounded(each.stored_share),
                "further_s": _rounded(each.further_s),
                "further_cpu_s": _rounded(each.further_cpu_s),
            }
            file.write(json.dumps(line | about) + "\n")


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 3)
