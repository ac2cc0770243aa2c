"""Numbers over all exponents and at the limits of types: what is stored is finite, what is not is listed."""

import math
import random
import re
import struct
from pathlib import Path

import duckdb
import pytest

from tests.support.command import haledger
from tests.support.failover_logs import write

DOUBLES = 100_000
LIMITS = (
    *(float(2**bits + more) for bits in (15, 16, 31, 32, 53, 63, 64, 127, 128) for more in (-1, 0, 1)),
    *(10.0**exponent for exponent in range(-324, 309, 12)),
    5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 0.0, -0.0, 1e30, 1e-30, 1e31, 1e-31,
)  # fmt: skip
BEYOND = ("1e309", "-1e309", "1e999", "nan", "inf", "-inf", "1" * 400, "0." + "0" * 400 + "1")


def any_double(source: random.Random) -> float:
    """Any of the finite doubles, by its bits."""
    while True:
        value: float = struct.unpack("<d", source.randbytes(8))[0]
        if math.isfinite(value):
            return value


def is_kept(value: float) -> bool:
    """Whether a value is in the range that docs/robustness.md gives."""
    return value == 0 or 1e-30 <= abs(value) <= 1e30


def not_finite(db: Path) -> list[tuple[str, str, int]]:
    """The columns of doubles of all public relations that hold something else than numbers."""
    found = []
    with duckdb.connect(str(db), read_only=True) as con:
        columns = con.execute(
            "select table_name, column_name from information_schema.columns "
            "where table_schema = 'main' and data_type = 'DOUBLE' order by all"
        ).fetchall()
        for relation, column in columns:
            (count,) = con.execute(f'select count(*) from "{relation}" where not isfinite("{column}")').fetchall()[0]
            if count:
                found.append((relation, column, count))
    return found


def test_any_doubles_are_stored_or_listed(tmp_path: Path) -> None:
    """A hundred thousand by their bits, nearly all of them far beyond any quantity, and the limits of types."""
    source = random.Random(17)  # noqa: S311  sample data
    values = [*LIMITS, *(any_double(source) for _ in range(DOUBLES))]
    per_file = len(values) // 10 + 1
    for number in range(10):
        some = values[number * per_file : (number + 1) * per_file]
        lines = "".join(f"{client},{value!r}\n" for client, value in enumerate(some, 1))
        write(tmp_path / "logs" / "plain" / f"run{number + 1:02}" / "summary.csv", "clients,tps\n" + lines)
    outcome = haledger("ingest", "logs", "--db", "a.duckdb", cwd=tmp_path)
    assert outcome.returncode == 0, outcome.stderr
    kept = sum(map(is_kept, values))
    with duckdb.connect(str(tmp_path / "a.duckdb"), read_only=True) as con:
        assert con.execute("select count(*) from measurement").fetchall() == [(kept,)]
        assert con.execute("select count(*) from rejected_line").fetchall() == [(len(values) - kept,)]
        listed = con.execute("select count(*) from finding where kind = 'number_out_of_range'").fetchall()
    assert listed == [(10,)]  # one a file
    assert not_finite(tmp_path / "a.duckdb") == []


STUDIES = 4


@pytest.mark.parametrize("seed", range(STUDIES))
def test_reports_of_extreme_numbers_print_numbers(tmp_path: Path, seed: int) -> None:
    """Few values at a time, so that means, deviations, ratios and axes of every magnitude are printed."""
    source = random.Random(seed)  # noqa: S311  sample data
    pool = [*map(repr, LIMITS), *BEYOND, *(repr(any_double(source)) for _ in range(20))]
    pool += [repr(source.choice((-1, 1)) * 10 ** source.uniform(-30, 30)) for _ in range(40)]
    for configuration in ("plain", "tuned"):
        for run in range(1, 5):
            cells = [source.choice(pool) for _ in range(6)]
            lines = "".join(f"{10 * row},{cell},{cells[-row]}\n" for row, cell in enumerate(cells, 1))
            place = tmp_path / "logs" / configuration / f"run{run}"
            write(place / "summary.csv", "clients,tps,latency_ms\n" + lines)
            samples = "".join(f"sda {' '.join(source.choice(pool) for _ in range(5))}\n" for _ in range(4))
            head = "Linux 5.10.0 (elm-1)  11/20/2026  _x86_64_  (2 CPU)\n\n"
            head += "Device tps kB_read/s kB_wrtn/s kB_read kB_wrtn\n"
            write(place / "elm-1" / "iostat.txt", head + samples)
    outcome = haledger("report", "logs", "-o", "paper", cwd=tmp_path)
    assert outcome.returncode == 0, outcome.stderr
    assert not_finite(tmp_path / "paper" / "haledger.duckdb") == []
    page = (tmp_path / "paper" / "report.html").read_text(encoding="utf-8")
    own = re.sub(r"<span class=\"line-text\">[^<]*</span>", " ", page)  # what the logs say
    printed = re.sub(r"<(script|style)\b.*?</\1>|<[^>]+>", " ", own, flags=re.DOTALL)
    assert re.findall(r"(?<![\w.-])[-+\u2212]?(?:nan|inf|NaN|Infinity)(?![\w-])(?! is| are)", printed) == []
