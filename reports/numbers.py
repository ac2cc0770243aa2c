"""Numbers as they are printed. The only module that rounds.

A value is stored in full and rounded once, here, by what was measured: seconds from stamps of one second get one
decimal at most, a standard deviation two significant digits, the mean the same decimal as its deviation, a ratio three
decimals.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from math import floor, isfinite, log10
from typing import Final

DASH = "\u2014"  # a value that does not exist, such as the deviation of one run
MINUS = "\u2212"
PLUS_MINUS = "\u00b1"
NO_BREAK_SPACE = "\u00a0"
INTERVAL = re.compile(r"\(95[ \u00a0]% CI [^()]{,30}\)")
UNIT = re.compile("(?<=[0-9\u2020\u2021]) (?=(?:%|s\\b))")  # a mark of made-up data stands between
GROUP_SPACE = "\u00a0"  # between thousands; Plex has no thin space, and another font must not step in

DEFAULT_DECIMALS = 1
RATIO_DECIMALS: Final = 3
MOST_DECIMALS: Final = 6
FAR_APART: Final = 1e5  # times as large: digits of one say nothing of the other
LARGEST_IN_DIGITS: Final = 1e15  # a larger double has no digits behind the point, and not all before it
LONG_S: Final = 600.0  # nobody reads more seconds as a length of time
LEAST_SPREAD: Final = 1e-4  # of a mean; what is less asks for no decimals of its own

LANGUAGES_WITH_POINT: Final = (None, "en")
WRITTEN: Final = re.compile(r"(?<![\w.,])([0-9]+)\.([0-9]+)(?=[ \u00a0](?:%|m?s\b|[kMG]i?B\b|to\b|times\b)|\))")
"""A number inside a sentence that a view wrote: known by what follows it, unlike a version or an address."""

MACHINE_WRITTEN: Final = re.compile(r"(?<![\w.,])([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]+))?(?![\w.,]*[0-9])")
"""A number as programs write it, thousands with commas, in a text made of nothing but names and numbers."""

_decimal_mark: ContextVar[str] = ContextVar("decimal_mark", default=".")


@contextmanager
def written_in(language: str | None) -> Iterator[None]:
    """Write numbers in a language: all but English put a comma before the decimals."""
    token = _decimal_mark.set("." if language in LANGUAGES_WITH_POINT else ",")
    try:
        yield
    finally:
        _decimal_mark.reset(token)


def fixed(value: float | None, decimals: int) -> str:
    """A number with that many decimals, halves away from zero; a dash where there is none."""
    if value is None or not isfinite(value):
        return DASH
    if abs(value) >= LARGEST_IN_DIGITS:
        mantissa, _, exponent = f"{abs(value):.2e}".partition("e+")
        return f"{MINUS if value < 0 else ''}{_grouped(mantissa)} × 10^{int(exponent)}"
    rounded = Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)
    sign = MINUS if rounded < 0 else ""
    return sign + _grouped(f"{abs(rounded):f}")


def signed(value: float | None, decimals: int) -> str:
    """A difference: a plus sign where it is above zero."""
    text = fixed(value, decimals)
    is_positive = value is not None and value > 0 and any(digit in text for digit in "123456789")
    return f"+{text}" if is_positive else text


def count(value: float | None) -> str:
    """A whole number, thousands set apart by spaces."""
    return fixed(value, 0)


def compact(value: float | None) -> str:
    """A measured number of unknown kind: four significant digits or those that it has, whole digits never cut."""
    if value is None or not isfinite(value):
        return DASH
    if value == 0:
        return "0"
    return fixed(value, max(0, min(MOST_DECIMALS, own_decimals(value), 3 - floor(log10(abs(value))))))


def own_decimals(value: float) -> int:
    """Decimals of a double to twelve digits: a source that printed 5.12 did not know it to be 5.120.

    What arithmetic leaves behind these digits (5.12 less 4.67 is 0.4500000000000002) is no knowledge either.
    """
    exponent = Decimal(f"{value:.12g}").normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def compact_pair(value: float, other: float) -> tuple[str, str]:
    """Two measured numbers that a sentence compares, with the same decimals: those of the larger by `compact`.

    More only where the smaller would keep less than two significant digits; each its own where they are far apart.
    """
    if are_far_apart((value, other)):
        return compact(value), compact(other)
    decimals = common_decimals((value, other))
    return fixed(value, decimals), fixed(other, decimals)


def are_far_apart(values: Iterable[float]) -> bool:
    """Whether the digits of the largest of some numbers say nothing of the smallest; zero has no digits."""
    sizes = [abs(each) for each in values if each and isfinite(each)]
    return bool(sizes) and min(sizes) * FAR_APART < max(sizes)


def common_decimals(values: Iterable[float], beside: Iterable[float | None] = ()) -> int:
    """Decimals for numbers that stand together: four significant digits of the largest, two of the smallest if it can.

    Six decimals are the most, and no more than one of them or of those `beside` them has.
    """
    sizes = sorted(abs(each) for each in values if each and isfinite(each))
    if not sizes:
        return 0
    own = max(own_decimals(each) for each in [*sizes, *beside] if each is not None and isfinite(each))
    return min(MOST_DECIMALS, own, max(3 - floor(log10(sizes[-1])), 1 - floor(log10(sizes[0])), 0))


def compact_and_spread(mean: float, stddev: float | None) -> str:
    """A measured mean of unknown kind with its deviation, of which two digits count; alone without one."""
    if stddev is None:
        return compact(mean)
    is_noise = stddev <= abs(mean) * LEAST_SPREAD or not isfinite(stddev)
    decimals = common_decimals((mean,) if is_noise else (mean, stddev))
    if not is_noise:
        decimals = min(decimals, max(0, 1 - floor(log10(stddev))))
    return f"{fixed(mean, decimals)} {PLUS_MINUS} {fixed(stddev, decimals)}"


def seconds_decimals(stddev: float | None, resolution_s: float | None) -> int:
    """Decimals that a mean of seconds can carry: one digit past the stamps, two significant digits of the deviation."""
    past_the_stamps = 1 if resolution_s is None or resolution_s <= 0 else max(0, 1 - floor(log10(resolution_s)))
    decimals = min(DEFAULT_DECIMALS, past_the_stamps)
    if stddev is None or stddev <= 0 or not isfinite(stddev):
        return decimals
    return max(0, min(decimals, 1 - floor(log10(stddev))))


def seconds_and_hours(value: float, decimals: int = 1) -> str:
    """Seconds; from ten minutes on with what they are in hours and minutes: `7560.3 s (2 h 6 min)`."""
    hours, minutes = divmod(round(value / 60), 60)
    long = f" ({hours} h {minutes} min)" if hours else f" ({minutes} min)"
    return f"{fixed(value, decimals)} s{long if value >= LONG_S else ''}"


def mean_and_spread(
    mean: float | None, stddev: float | None, resolution_s: float | None = None, decimals: int | None = None
) -> str:
    """`61.2 ± 0.6`; one run has no deviation.

    Where the study asks for whole seconds (`decimals` = 0), the deviation keeps one decimal: rounded it would say 0.
    """
    if mean is None:
        return DASH
    if stddev is None:
        return fixed(mean, seconds_decimals(None, resolution_s) if decimals is None else decimals)
    if decimals is None:
        decimals = seconds_decimals(stddev, resolution_s)
        return f"{fixed(mean, decimals)} {PLUS_MINUS} {fixed(stddev, decimals)}"
    return f"{fixed(mean, decimals)} {PLUS_MINUS} {fixed(stddev, max(decimals, 1))}"


def ratio_decimals(value: float | None) -> int:
    """Decimals of a ratio and of its interval: three, more where they would say 0, fewer of hundreds and more."""
    if not value or not isfinite(value):
        return RATIO_DECIMALS
    size = floor(log10(abs(value)))
    return RATIO_DECIMALS if -3 < size < 2 else max(0, min(MOST_DECIMALS, (1 if size < 0 else RATIO_DECIMALS) - size))


def ratio(value: float | None) -> str:
    """A ratio; what is too small for any decimal is never printed as zero."""
    least = 10.0**-MOST_DECIMALS
    if value is not None and 0 < value < least:
        return f"< {fixed(least, MOST_DECIMALS)}"
    return fixed(value, ratio_decimals(value))


def interval(low: float | None, high: float | None, decimals: int) -> str:
    """`0.642 to 0.670`; a dash where no interval could be estimated."""
    if low is None or high is None:
        return DASH
    return f"{fixed(low, decimals)} to {fixed(high, decimals)}"


def ratio_interval(ratio: float | None, low: float | None, high: float | None) -> str:
    """The interval of a ratio, with its decimals."""
    return interval(low, high, ratio_decimals(ratio))


def resolution(seconds: float) -> str:
    """How fine a stamp is, in the unit that makes it a whole number."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("\u00b5s", 1e-6)):
        if seconds >= size * 0.999:
            return f"{fixed(seconds / size, 0)} {unit}"
    return f"{as_given(seconds)} s"


def as_given(value: float) -> str:
    """A number as a person or a file gave it, with no more digits than it has."""
    return f"{value:g}".replace(".", _decimal_mark.get())


def p_value(value: float | None) -> str:
    """A p value with three decimals, never printed as zero."""
    if value is None:
        return DASH
    return f"< {fixed(0.001, 3)}" if value < 0.001 else fixed(value, 3)


def bound(sentence: str) -> str:
    """A sentence in which no line ends between a number and its unit or within an interval in brackets.

    Its numbers are written as everywhere in the report.
    """
    written = UNIT.sub(NO_BREAK_SPACE, WRITTEN.sub(rf"\1{_decimal_mark.get()}\2", sentence))
    return INTERVAL.sub(lambda found: found[0].replace(" ", NO_BREAK_SPACE), written)


def with_units(text: str) -> str:
    """A text of the study, its digits as they are, in which no line ends between a number and its unit."""
    return UNIT.sub(NO_BREAK_SPACE, text)


def rewritten(text: str) -> str:
    """A condition, a setting or an advice that a program put together, with its numbers as the report writes them."""

    def written(found: re.Match[str]) -> str:
        whole, fraction = found.groups()
        mark = "" if fraction is None else f"{_decimal_mark.get()}{fraction}"
        return (_grouped(whole.replace(",", "")) if "," in whole else whole) + mark

    return MACHINE_WRITTEN.sub(written, text)


def unrounded(value: float) -> str:
    """A number to nine digits, as much as any log states."""
    return f"{value:.9g}".replace("-", MINUS).replace(".", _decimal_mark.get())


def moment(value: datetime | None, *, with_fraction: bool = False) -> str:
    """An instant as date and time of day."""
    if value is None:
        return DASH
    if not with_fraction:
        return value.strftime("%Y-%m-%d %H:%M:%S")
    tenths = Decimal(value.microsecond).scaleb(-6).quantize(Decimal("0.1"), rounding="ROUND_FLOOR")
    return f"{value:%Y-%m-%d %H:%M:%S}{_decimal_mark.get()}{str(tenths)[2:]}"


def _grouped(digits: str) -> str:
    whole, point, fraction = digits.partition(".")
    point = point and _decimal_mark.get()
    if len(whole) < 5:
        return whole + point + fraction
    head = len(whole) % 3
    groups = ([whole[:head]] if head else []) + [whole[i : i + 3] for i in range(head, len(whole), 3)]
    return GROUP_SPACE.join(groups) + point + fraction
