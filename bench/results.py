"""What the measurements came to: a table to look at, lines to keep."""

import json
import os
import platform
import re
import statistics
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import PackageNotFoundError, distribution, version
from math import log
from pathlib import Path
from typing import Any

from bench.processes import MEBIBYTE, ROOT, Cost, first_line
from bench.subjects import Subject
from pipeline.version import CODE
from pipeline.version import version as own_version

HISTORY = Path(__file__).parent / "history.jsonl"
MOST_RISE = 1.1


@dataclass(frozen=True, slots=True)
class Result:
    """The median cost of a subject. `net_s`: CPU seconds without start-up; `ratio`: of these for a byte to `against`.

    `stored_share`: bytes of the store by bytes read. `further_s`, `exponent`: CPU seconds of a further 100 MB, and how
    the net ones grow with the bytes (1: in step), by a shorter and a longer log. `rise`: CPU seconds by those of the
    last entry of the history for as many bytes and cores.
    """

    name: str
    bytes: int
    wall_s: float
    cpu_s: float
    net_s: float
    peak_mib: float
    against: str | None = None
    ratio: float | None = None
    stored_share: float | None = None
    further_s: float | None = None
    exponent: float | None = None
    rise: float | None = None


def results(
    subjects: Sequence[Subject], costs: Mapping[str, Sequence[Cost]], history: Iterable[Mapping[str, Any]] = ()
) -> list[Result]:
    """One result per subject, in their order. `history`: what was kept, the last one last."""
    cpu_s = {name: statistics.median(run.cpu_s for run in runs) for name, runs in costs.items()}
    net_s = {each.name: max(1e-9, cpu_s[each.name] - cpu_s.get(each.start_up or "", 0.0)) for each in subjects}
    sizes = {each.name: each.bytes for each in subjects}
    by_byte = {each.name: net_s[each.name] / each.bytes for each in subjects if each.bytes}
    before = {(line["measured"], line["bytes"]): line["cpu_s"] for line in history if line["cores"] == cores()}
    found = []
    for each in subjects:
        shorter, last_s = each.longer_than, before.get((each.name, each.bytes))
        further_s = exponent = None
        if shorter is not None:
            further_s = (cpu_s[each.name] - cpu_s[shorter]) / (each.bytes - sizes[shorter]) * 1e8
            exponent = log(net_s[each.name] / net_s[shorter]) / log(each.bytes / sizes[shorter])
        stored = each.store.stat().st_size if each.store and each.store.exists() else None
        found.append(
            Result(
                name=each.name,
                bytes=each.bytes,
                wall_s=statistics.median(run.wall_s for run in costs[each.name]),
                cpu_s=cpu_s[each.name],
                net_s=net_s[each.name],
                peak_mib=max(run.peak_mib for run in costs[each.name]),
                against=each.against,
                ratio=by_byte[each.name] / by_byte[each.against] if each.against in by_byte and each.bytes else None,
                stored_share=stored / each.bytes if stored and each.bytes else None,
                further_s=further_s,
                exponent=exponent,
                rise=cpu_s[each.name] / last_s if last_s else None,
            )
        )
    return found


def table(found: Sequence[Result]) -> Iterator[str]:
    """The results as lines of text; a rise of a tenth is marked."""
    yield f"{'':40}{'MB':>7}{'cpu s':>9}{'peak MiB':>10}{'100 MB':>8}{'exponent':>10}{'to last':>9}  ratio"
    for each in found:
        mark = " !" if each.rise is not None and each.rise > MOST_RISE else ""
        ratio = f"{each.ratio:.2f} to {each.against}" if each.ratio is not None else ""
        yield (
            f"{each.name:40}{each.bytes / 1e6:7.0f}{each.cpu_s:9.2f}{each.peak_mib:10.0f}{_shown(each.further_s):>8}"
            f"{_shown(each.exponent):>10}{_shown(each.rise) + mark:>9}  {ratio}"
        ).rstrip()
    yield f"{installed_bytes() / 1e6:.0f} MB installed"


def _shown(number: float | None) -> str:
    return "" if number is None else f"{number:.2f}"


def installed_bytes() -> int:
    """Bytes of haledger's code and of all that it needs, as they are installed here."""
    found: dict[str, int] = {}
    wanted = [*tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]]
    while wanted:
        name = re.split(r"[^\w.-]", wanted.pop())[0].lower()
        if name not in found:
            try:
                known = distribution(name)
            except PackageNotFoundError:  # of another system or version of Python
                found[name] = 0
                continue
            found[name] = _bytes(Path(str(each.locate())) for each in known.files or ())
            wanted += [each for each in known.requires or () if "extra ==" not in each]
    own = (each for part in CODE for each in (ROOT / part).rglob("*") if "__pycache__" not in each.parts)
    return sum(found.values()) + _bytes(own)


def _bytes(places: Iterable[Path]) -> int:
    return sum(each.stat().st_size for each in places if each.is_file())


def cores() -> int | None:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def entries(history: Path) -> list[dict[str, Any]]:
    """What was kept, the last one last."""
    return [json.loads(line) for line in history.read_text(encoding="utf-8").splitlines()] if history.exists() else []


def keep(found: Iterable[Result], history: Path, today: date) -> None:
    """Append the results to a file, a line each. Nothing in it shows whose machine it was."""
    about = {
        "date": today.isoformat(),
        "cores": cores(),
        "memory_mib": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // MEBIBYTE,
        "installed_bytes": installed_bytes(),
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
                "exponent": _rounded(each.exponent),
            }
            file.write(json.dumps(line | about) + "\n")


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 3)
