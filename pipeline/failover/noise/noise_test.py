"""Which tests of noise notice something, over the whole study."""

from collections.abc import Iterable, Iterator, Sequence
from math import exp, fsum, lgamma, log, sqrt
from statistics import fmean
from typing import Annotated, NamedTuple

from pipeline.failover.noise.mode_split import ModeSplit
from pipeline.failover.noise.order_test import OrderTest
from pipeline.failover.noise.samples import SAMPLE, normal_tail
from pipeline.failover.step import STUDY, Int32, grouped, nulls_last, step

MODES = 0.01
"""Level of modes: half of it for single samples where there are several configurations."""
LEVELS = {"first_run": (0.03, 0.045), "autocorrelation": (0.03, 0.02), "drift": (0.005, 0.005)}
"""Levels of tests of the order: of several configurations, and of one alone."""
OF_MEAN = 0.6
"""Share of a level that the mean over all configurations has."""
LEAST_P = 1e-300


class NoiseTest(NamedTuple):
    """One row per test of noise: whether the runs of a sample, of a configuration, or of the study vary otherwise than
    chance lets them. A study without noise gets any notice with a probability of at most 8 %, however many
    configurations and samples it has: modes have 1 % of it (half of it for single samples, of which the headlines have
    a half, half for items over all configurations), a first run that differs and autocorrelation 3 % each, drift 0.5 %.
    Of the latter three, the mean over all configurations has six tenths, the configurations the rest, after Holm. A
    study of one configuration has 4.5 % for the first run and 2 % for autocorrelation. docs/decisions/0020-noise.md has
    the simulation.
    """

    test: Annotated[str, "mode_split, first_run, autocorrelation, drift"]
    scope: Annotated[
        str,
        "sample, item (over all configurations), configuration (mean over the samples of its headline), study (over "
        "all configurations)",
    ]
    subject: Annotated[str | None, "milestone, phase or measurement; null above a sample"]
    item: Annotated[str | None, "milestone, phase or metric; null above a sample"]
    unit: Annotated[str | None, "unit; null above a sample"]
    label: Annotated[str | None, "what was measured; null above a sample"]
    clients: Annotated[Int32 | None, "clients at work; null above a sample"]
    configuration: Annotated[str | None, "folder group; null for an item and for the study"]
    tests: Annotated[Int32, "tests that the p value is corrected for"]
    z: Annotated[float | None, "the deviation as a normal value; null for modes"]
    p_value: Annotated[float, "raw p value; two-sided for drift, and for a first run where slow is unknown"]
    p_holm: Annotated[float, "after Holm's correction over the tests of its kind and scope"]
    level: Annotated[float, "what p_holm is held against"]
    is_noticed: Annotated[bool, "p_holm is below the level"]


Sample = tuple[str | None, str | None, str | None, str | None, int | None, str | None]


class _Test(NamedTuple):
    """A test before its correction, with what names its sample."""

    sample: Sample
    z: float | None
    p_value: float


LINK = f"from: order_test by {', '.join(SAMPLE)}; of rho; when scope is sample"


@step(by=STUDY, rests_on_all=True, links=[LINK])
def noise_test(mode_split: Sequence[ModeSplit], order_test: Sequence[OrderTest]) -> Iterator[NoiseTest]:
    """Correct the tests of samples, of configurations and of the study for their number."""
    level = MODES / 2 if len({each.configuration for each in mode_split}) > 1 else MODES
    kinds = grouped(mode_split, "is_headline")
    for kind in kinds.values():
        own = [_Test(each[:6], None, each.p_value) for each in kind]
        yield from _corrected("mode_split", "sample", own, level / len(kinds))
    items = grouped(mode_split, *SAMPLE[:-1])
    over_all = [_Test((*item, None), None, _fisher(own)) for item, own in items.items() if len(own) > 1]
    yield from _corrected("mode_split", "item", over_all, MODES / 2)
    for test, (of_several, of_one) in LEVELS.items():
        of_configurations = grouped(order_test, "configuration").values()
        found = [each for own in of_configurations if (each := _mean(test, own)) is not None]
        share = (1 - OF_MEAN) * of_several if len(found) > 1 else of_one
        yield from _corrected(test, "configuration", (each for each, _ in found), share)
        z = [each.z for each, is_two_sided in found if each.z is not None and (test == "drift" or not is_two_sided)]
        if len(z) > 1:
            mean = fsum(z) / sqrt(len(z))
            whole = _Test((None, None, None, None, None, None), mean, _p_value(mean, is_two_sided=test == "drift"))
            yield from _corrected(test, "study", [whole], OF_MEAN * of_several)


def _fisher(splits: Sequence[ModeSplit]) -> float:
    """The chance that the p values of an item have so small a product."""
    ln_sum = -fsum(log(max(each.p_value, LEAST_P)) for each in splits)
    terms = (exp((j * log(max(ln_sum, LEAST_P)) if j else 0.0) - ln_sum - lgamma(j + 1)) for j in range(len(splits)))
    return min(1.0, fsum(terms))


def _mean(test: str, tests: Sequence[OrderTest]) -> tuple[_Test, bool] | None:
    """A test over the headlines of a configuration, and whether it looks at both sides."""
    found = [(value, each.slow_sign) for each in tests if (value := _z(test, each)) is not None]
    if not found:
        return None
    is_two_sided = test == "drift" or (test == "first_run" and any(slow_sign is None for _, slow_sign in found))
    mean = fmean(value for value, _ in found)
    return _Test(
        (None, None, None, None, None, tests[0].configuration), mean, _p_value(mean, is_two_sided=is_two_sided)
    ), is_two_sided


def _z(test: str, found: OrderTest) -> float | None:
    """How far a headline is out, towards the slow side where that is known."""
    if test == "autocorrelation":
        return found.autocorrelation_z
    if test == "drift":
        return None if found.drift_z is None else (found.slow_sign or 1) * found.drift_z
    return abs(found.first_z) if found.slow_sign is None and found.first_z is not None else found.first_z


def _p_value(z: float, *, is_two_sided: bool) -> float:
    return min(1.0, 2 * normal_tail(abs(z))) if is_two_sided else normal_tail(z)


def _corrected(test: str, scope: str, tests: Iterable[_Test], level: float) -> Iterator[NoiseTest]:
    """Holm's correction."""
    in_order = sorted(tests, key=lambda each: (each.p_value, nulls_last(each.sample)))
    p_holm = 0.0
    for place, (sample, z, p_value) in enumerate(in_order):
        p_holm = max(p_holm, min(1.0, (len(in_order) - place) * p_value))
        yield NoiseTest(test, scope, *sample, len(in_order), z, p_value, p_holm, level, p_holm < level)
