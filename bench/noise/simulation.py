"""Studies made up and tested by the steps of the fold: in which of them the tests of noise notice anything."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from bench.noise.samples import Sample, Setting, study
from pipeline.failover.noise.mode_split import ModeSplit, mode_split
from pipeline.failover.noise.noise_test import NoiseTest, noise_test
from pipeline.failover.noise.order_test import OrderTest, order_test
from pipeline.failover.noise.samples import RunSample
from pipeline.failover.step import grouped


class Examined(NamedTuple):
    """What the tests of noise find in a study."""

    splits: Sequence[ModeSplit]
    orders: Sequence[OrderTest]
    tests: Sequence[NoiseTest]

    @property
    def noticed(self) -> set[str]:
        """The tests that notice something."""
        return {each.test for each in self.tests if each.is_noticed}


def examined(samples: Sequence[Sample]) -> Examined:
    """Test the samples of a study."""
    by_configuration = grouped(_rows(samples), "configuration").values()
    splits = [each for own in by_configuration for each in mode_split(own)]
    orders = [each for own in by_configuration for each in order_test(own)]
    return Examined(splits, orders, list(noise_test(splits, orders)))


def _rows(samples: Sequence[Sample]) -> Iterator[RunSample]:
    for configuration, item, is_headline, values, error in samples:
        of_sample = ("milestone" if is_headline else "phase", item, "s", None, None, configuration)
        for place, value in enumerate(values, 1):
            yield RunSample(*of_sample, f"run{place:03}", place, value, error, 1, is_headline)


def shares(setting: Setting, studies: int, seed: int) -> dict[str, float]:
    """The share of studies with any notice, and by test."""
    random = Random(f"{seed} {setting.name}")  # noqa: S311 - a simulation, no secret
    found: Counter[str] = Counter()
    for _ in range(studies):
        noticed = examined(study(random, setting)).noticed
        found.update(noticed)
        found["any"] += bool(noticed)
    return {name: count / studies for name, count in found.items()}
