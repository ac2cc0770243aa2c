"""Series of a rate with known dips: noise, drift, falls within an interval, slow recoveries."""

from dataclasses import dataclass
from random import Random

from pipeline.failover.rate.change_points import Interval


@dataclass(frozen=True, slots=True)
class KnownDip:
    """A dip that a series was made with: position of its first interval, and work that was not done."""

    first: int
    lost: float


@dataclass(frozen=True, slots=True)
class RateSeries:
    """A series of a rate and its dips; `noise`: standard deviation as a share of the level."""

    intervals: list[Interval]
    dips: list[KnownDip]
    noise: float


def rate_series(seed: int, *, dips: int = 3, noises: tuple[float, ...] = (0.0, 0.01, 0.02, 0.04)) -> RateSeries:
    """The series of a seed, with at most so many dips."""
    random = Random(seed)  # noqa: S311  the same series for the same seed
    step_s, count, level = random.choice([1, 5, 10, 30]), random.randint(60, 600), random.choice([80, 900, 17_300])
    noise, drift, follows = random.choice(noises), random.choice([0, 0, -0.2, 0.2]), random.choice([0, 0, 0.4])
    start_s = random.choice([0, 250])
    usual = [level * (1 + drift * at / count) for at in range(count)]
    gone = [0.0] * count
    begins: list[tuple[int, int]] = []
    at = 0
    for _ in range(random.randint(1, dips) if dips else 0):
        first, length = at + random.randint(20, 120), random.randint(3, 40)
        if first + length > count - 5:
            break
        begins.append((first, length))
        at = first + length
    for first, length in begins:
        depth, part, is_slow = (
            random.choice([0.5, 0.8, 1, 1]),
            random.choice([0, random.random()]),
            random.random() < 0.5,
        )
        for each in range(first, first + length + 1):
            covered = 1 - part if each == first else part if each == first + length else 1
            done = max(0, 2 * (each - first) / length - 1) if is_slow else 0
            gone[each] = covered * depth * (1 - min(done, 1))
    deviation, values = 0.0, []
    for own, share in zip(usual, gone, strict=True):
        deviation = follows * deviation + random.gauss(0, noise * (1 - follows**2) ** 0.5)
        values.append(max(0.0, own * (1 + deviation) * (1 - share)))
    intervals = [
        Interval(float(start_s + at * step_s), float(start_s + (at + 1) * step_s), value)
        for at, value in enumerate(values)
    ]
    known = [
        KnownDip(first, step_s * sum(usual[at] * gone[at] for at in range(first, first + length + 1)))
        for first, length in begins
    ]
    return RateSeries(intervals, known, noise)
