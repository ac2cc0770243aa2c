"""Samples of runs, and how likely chance makes a value as far out."""

from collections.abc import Iterable, Iterator
from math import erfc, log, sqrt
from typing import NamedTuple

from pipeline.failover.step import grouped

SAMPLE = ("subject", "item", "unit", "label", "clients", "configuration")
"""The columns that name a sample."""

LEAST_RUNS = 5
"""Of a sample that is tested."""

FARTHEST = 30.0
"""Normal value beyond which no distance is told from another, and that of groups without any spread."""


class RunSample(NamedTuple):
    """A run's value of what is averaged over runs. `slow_sign`: 1 where a greater value is slower, else -1."""

    subject: str
    item: str
    unit: str | None
    label: str | None
    clients: int | None
    configuration: str
    run: str
    place: int
    value: float
    error: float
    slow_sign: int | None
    is_headline: bool


def sample_of(run: RunSample) -> tuple[str, str, str | None, str | None, int | None, str]:
    """What names the sample of a run, as `SAMPLE` has it."""
    return run[:6]


def samples(rows: Iterable[RunSample]) -> Iterator[list[RunSample]]:
    """The runs of each sample that is large enough."""
    return (own for own in grouped(rows, *SAMPLE).values() if len(own) >= LEAST_RUNS)


def normal_tail(z: float) -> float:
    """Probability that a normal value lies above z."""
    return erfc(z / sqrt(2)) / 2


def student_z(t: float, df: float) -> float:
    """The normal value with the tail of Student's t, with the sign of t (Hill 1970).

    Within 0.5 % of a tail above 0.001 from three degrees of freedom on, which may be fractional.
    """
    a = df - 0.5
    b = 48 * a**2
    square = a * log(1 + t * t / df)
    more = (((-0.4 * square - 3.3) * square - 24) * square - 85.5) / (0.8 * square**2 + 100 + b)
    return sign(t) * sqrt(square) * (1 + (square + 3 + more) / b)


def sign(value: float) -> int:
    """1, 0 or -1."""
    return (value > 0) - (value < 0)
