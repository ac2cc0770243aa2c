"""Studies made up and tested, by the statements of the store: in which of them the tests of noise notice anything."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Final

import duckdb
import polars as pl

from bench.noise.control import Order, Split, control
from bench.noise.samples import Sample, Setting, study
from pipeline.store import relations
from pipeline.store.store import insert, sql_type

SCHEMA: Final = pl.Schema(
    {
        "subject": pl.String(),
        "item": pl.String(),
        "unit": pl.String(),
        "label": pl.String(),
        "clients": pl.Int32(),
        "configuration": pl.String(),
        "run": pl.String(),
        "place": pl.Int64(),
        "value": pl.Float64(),
        "error": pl.Float64(),
        "slow_sign": pl.Int32(),
        "file_id": pl.Int32(),
        "line_no": pl.Int32(),
        "is_headline": pl.Boolean(),
    }
)


BATCH: Final = 200
"""Studies whose samples are tested at once; the tests of a sample know nothing of other samples."""


def noticed(studies: Iterable[Sequence[Sample]]) -> Iterator[set[str]]:
    """Of each study: the tests that notice something. Samples are tested by the store's statements."""
    for batch in _batches(studies):
        with duckdb.connect(":memory:") as con:
            fill(con, batch)
            splits = con.execute("select configuration, item, is_headline, p_value from mode_split").fetchall()
            orders = con.execute("select configuration, first_z, autocorrelation_z, drift_z from order_test").fetchall()
        of_study: list[tuple[list[Split], list[Order]]] = [([], []) for _ in batch]
        for name, *split in splits:
            of_study[_number(name)][0].append(Split(*split))
        for name, *order in orders:
            of_study[_number(name)][1].append(Order(*order))
        yield from (set(control(*each)) for each in of_study)


def fill(con: duckdb.DuckDBPyConnection, studies: Sequence[Sequence[Sample]]) -> None:
    """Lay out samples and create the tests of a sample as in a store."""
    statements = {each.name: each.sql for each in relations.catalogue()}
    columns = ", ".join(f"{name} {sql_type(dtype)}" for name, dtype in SCHEMA.items())
    con.execute("set threads = 1")
    for macro in sorted((relations.SQL_FOLDER / "macros").glob("*.sql")):
        con.execute(macro.read_text(encoding="utf-8"))
    con.execute(f"create table run_sample ({columns})")
    rows = [row for number, samples in enumerate(studies) for row in _rows(number, samples)]
    insert(con, "run_sample", pl.DataFrame(rows, schema=SCHEMA, orient="row"))
    for name in ("mode_split", "order_test", "noise_test"):
        con.execute(f"create view {name} as {statements[name]}")


def _batches(studies: Iterable[Sequence[Sample]]) -> Iterator[list[Sequence[Sample]]]:
    waiting = iter(studies)
    while batch := list(islice(waiting, BATCH)):
        yield batch


def _number(configuration: str) -> int:
    return int(configuration.partition(":")[0])


def _rows(number: int, samples: Sequence[Sample]) -> Iterator[tuple[object, ...]]:
    for configuration, item, is_headline, values, error in samples:
        for place, value in enumerate(values, 1):
            subject = "milestone" if is_headline else "phase"
            name = f"{number}:{configuration}"
            yield (
                subject,
                item,
                "s",
                None,
                None,
                name,
                f"run{place:03}",
                place,
                value,
                error,
                1,
                None,
                None,
                is_headline,
            )


def shares(setting: Setting, studies: int, seed: int) -> dict[str, float]:
    """The share of studies with any notice, and by test."""
    random = Random(f"{seed} {setting.name}")  # noqa: S311 - a simulation, no secret
    found: Counter[str] = Counter()
    for tests in noticed(study(random, setting) for _ in range(studies)):
        found.update(tests)
        found["any"] += bool(tests)
    return {name: count / studies for name, count in found.items()}
