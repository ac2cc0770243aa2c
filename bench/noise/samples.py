"""Made-up studies: series of runs, clean or with one kind of noise."""

from dataclasses import dataclass, replace
from math import exp, log, sqrt
from random import Random
from typing import Final

MEAN: Final = 60.0


@dataclass(frozen=True, slots=True)
class Noise:
    """What a series is made of.

    `cv`: standard deviation within a mode, a share of the mean. `quantum`: what values are cut to. `slow_runs` of them
    are `slow_by` slower (a share); `phi` correlates neighbours; the first run is `first_sd` standard deviations slower;
    the mean grows by `trend_sd` over the series.
    """

    cv: float = 0.05
    is_skewed: bool = False
    quantum: float = 0.0
    slow_runs: int = 0
    slow_by: float = 0.0
    phi: float = 0.0
    first_sd: float = 0.0
    trend_sd: float = 0.0


def series(random: Random, noise: Noise, runs: int = 10) -> list[float]:
    """The values of a configuration's runs in their order."""
    deviations: list[float] = []
    for i in range(runs):
        fresh = random.gauss(0, 1)
        deviations.append(noise.phi * deviations[-1] + sqrt(1 - noise.phi**2) * fresh if i else fresh)
    deviations = [each + noise.trend_sd * i / max(runs - 1, 1) for i, each in enumerate(deviations)]
    deviations[0] += noise.first_sd
    if noise.is_skewed:
        sigma = sqrt(log(1 + noise.cv**2))
        values = [MEAN * exp(sigma * each - sigma**2 / 2) for each in deviations]
    else:
        values = [MEAN * (1 + noise.cv * each) for each in deviations]
    for i in random.sample(range(runs), noise.slow_runs):
        values[i] *= 1 + noise.slow_by
    return [(each // noise.quantum) * noise.quantum if noise.quantum else each for each in values]


@dataclass(frozen=True, slots=True)
class Setting:
    """A kind of study: this many configurations and samples in each, of which the first this many are noisy.

    `noisy_samples`: in a noisy configuration; the first sample is the headline.
    """

    name: str
    configurations: int
    samples: int
    noise: Noise
    noisy_configurations: int = 0
    noisy_samples: int = 1
    runs: int = 10


Sample = tuple[str, str, bool, list[float], float]  # configuration, item, is headline, values in order, error


def study(random: Random, setting: Setting) -> list[Sample]:
    """One study of a setting. The samples of a configuration vary on their own, as phases of a failover do."""
    clean = replace(setting.noise, slow_runs=0, phi=0.0, first_sd=0.0, trend_sd=0.0)
    made: list[Sample] = []
    for c in range(setting.configurations):
        for s in range(setting.samples):
            is_noisy = c < setting.noisy_configurations and s < setting.noisy_samples
            values = series(random, setting.noise if is_noisy else clean, setting.runs)
            made.append((f"c{c:03}", f"i{s}", s == 0, values, setting.noise.quantum))
    return made
