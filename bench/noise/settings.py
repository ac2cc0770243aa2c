"""The kinds of studies that are simulated."""

from collections.abc import Iterator
from typing import Final

from bench.noise.samples import Noise, Setting

SHAPES: Final = (("normal 5 %", 0.05, False), ("normal 20 %", 0.2, False), ("log-normal 30 %", 0.3, True))
SIZES: Final = ((1, 1), (4, 1), (14, 1), (300, 1), (1, 7), (4, 7), (14, 7))


def _clean() -> Iterator[Setting]:
    for configurations, samples in SIZES:
        for name, cv, is_skewed in SHAPES:
            title = f"clean: {configurations} x {samples}, {name}"
            yield Setting(title, configurations, samples, Noise(cv, is_skewed=is_skewed))
    for spread in (0.1, 0.3, 0.6, 1.2):  # seconds around 60 s, cut to whole ones
        for configurations, samples in ((1, 7), (14, 7)):
            title = f"clean: {configurations} x {samples}, sd {spread} s, whole seconds"
            yield Setting(title, configurations, samples, Noise(spread / 60, quantum=1.0))
    for runs in (5, 6, 20, 40):
        yield Setting(f"clean: 14 x 7, normal 5 %, {runs} runs", 14, 7, Noise(), runs=runs)


def _noisy() -> Iterator[Setting]:
    for cv in (0.01, 0.02, 0.05):
        for slow_by in (0.1, 0.3, 0.6):
            for slow_runs in (1, 2, 3):
                noise = Noise(cv, slow_runs=slow_runs, slow_by=slow_by)
                title = f"modes: {slow_runs} of 10 slower by {100 * slow_by:.0f} %, spread {100 * cv:.0f} %"
                yield Setting(f"{title}, 1 x 1", 1, 1, noise, 1)
                yield Setting(f"{title}, one of 14 x 7", 14, 7, noise, 1)
    for noisy in (1, 2, 3, 4, 5, 6, 8, 14):
        yield Setting(f"autocorrelation 0.6: all of {noisy}", noisy, 1, Noise(phi=0.6), noisy)
    for runs in (20, 30, 40, 60):
        yield Setting(f"autocorrelation 0.6: 1 of 1, {runs} runs", 1, 1, Noise(phi=0.6), 1, runs=runs)
    yield Setting("autocorrelation 0.6: 4 of 8", 8, 1, Noise(phi=0.6), 4)
    for noisy, of in ((1, 1), (2, 2), (4, 4), (14, 14), (1, 4), (2, 4), (1, 14), (4, 14)):
        yield Setting(f"first run slow by 3 sd: {noisy} of {of}", of, 1, Noise(first_sd=3.0), noisy)
    for noisy in (1, 4, 14):
        yield Setting(f"trend of 3 sd: all of {noisy}", noisy, 1, Noise(trend_sd=3.0), noisy)


SETTINGS: Final = (*_clean(), *_noisy())
