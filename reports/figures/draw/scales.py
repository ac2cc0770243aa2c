"""Axes of numbers: where a value lies, which values have a tick, and how these are printed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, isfinite, log10

from reports import numbers

STEPS = (1.0, 2.0, 5.0, 10.0)
LEAST_TICKS = 3
"""A logarithmic axis with fewer powers of ten has ticks between them."""
LEAST_APART = 15.0
"""Of ticks, pixels."""


@dataclass(frozen=True, slots=True)
class Scale:
    """From the value at the left or lower end to that at the other one; even, or in equal ratios."""

    low: float
    high: float
    is_log: bool = False

    def share(self, value: float) -> float:
        """How far along the axis a value is; beyond 0 and 1 for one outside."""
        low, high, at = map(log10, (self.low, self.high, max(value, 1e-300))) if self.is_log else self._plain(value)
        return (at - low) / (high - low) if high > low else 0.5

    def _plain(self, value: float) -> Iterable[float]:
        return self.low, self.high, value

    def ticks(self, most: int) -> list[float]:
        """At most as many round values, at least two where there is room for them."""
        if not self.is_log:
            return _even(self.low, self.high, most)
        decades = [10.0**power for power in range(floor(log10(self.low)), ceil(log10(self.high)) + 1)]
        for digits in ((1.0,), (1.0, 3.0), (1.0, 2.0, 5.0), tuple(map(float, range(1, 10)))):
            found = self._seen(digit * decade for decade in decades for digit in digits)
            if len(found) >= LEAST_TICKS:
                break
        if len(found) < LEAST_TICKS:
            found = _even(self.low, self.high, most)
        return found[:: ceil(len(found) / most)] if most else []

    def _seen(self, values: Iterable[float]) -> list[float]:
        return [value for value in values if self.low * (1 - 1e-9) <= value <= self.high * (1 + 1e-9)]


def _even(low: float, high: float, most: int) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten."""
    if most < 1 or not isfinite(high - low) or high <= low:
        return []
    rough = (high - low) / most
    power = 10.0 ** floor(log10(rough))
    step = next(digit * power for digit in STEPS if digit * power >= rough * (1 - 1e-9))
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [float(f"{place * step:.12g}") for place in range(first, last + 1)]


def fitting_ticks(scale: Scale, room: float, taken: Callable[[str], float]) -> list[tuple[float, str]]:
    """The most round values whose printed forms, of a length `taken` each, stand apart on an axis of that length."""
    for most in range(max(2, min(10, int(room / LEAST_APART))), 0, -1):
        values = scale.ticks(most)
        found = list(zip(values, printed(values), strict=True))
        ends = [(scale.share(value) * room, taken(text) / 2) for value, text in found]
        if all(b - half_b >= a + half_a for (a, half_a), (b, half_b) in pairwise(ends)):
            return found
    return found


def printed(values: Sequence[float]) -> list[str]:
    """Values of one axis with the same decimals: as many as any of them needs; of very unequal ones each its own."""
    own = [numbers.own_decimals(value) for value in values]
    sizes = [abs(value) for value in values if value]
    if sizes and max(sizes) / min(sizes) >= 100 and max(own) > 0:
        return [numbers.fixed(value, decimals) for value, decimals in zip(values, own, strict=True)]
    return [numbers.fixed(value, max(own)) for value in values]


def from_zero(values: Iterable[float], headroom: float = 1.04) -> Scale:
    """From zero to a little more than the greatest value."""
    greatest = max((value for value in values if isfinite(value)), default=0.0)
    return Scale(0.0, greatest * headroom if greatest > 0 else 1.0)


def around(values: Iterable[float], margin: float = 0.04, *, is_log: bool = False) -> Scale:
    """From a little less than the least to a little more than the greatest value."""
    known = [value for value in values if isfinite(value)] or [0.0]
    if is_log:
        ratio = (max(known) / min(known)) ** margin
        return Scale(min(known) / ratio, max(known) * ratio, is_log=True)
    spare = margin * (max(known) - min(known)) or abs(max(known)) * margin or 1.0
    return Scale(min(known) - spare, max(known) + spare)
