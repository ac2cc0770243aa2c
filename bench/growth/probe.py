"""One format, grown in every way: where time or memory grow faster than the input."""

import math
import sys
from collections.abc import Iterator, Sequence

from bench.growth.shapes import ENOUGH_S, Cost, Shape, cost, least, shapes
from parsers.format import formats

MOST_EXPONENT = 1.1
MOST_S = 60
SPARE_MIB = 256
"""Memory below that is the allocator's."""


def probe(name: str, found: Sequence[bytes], wanted: str, *, is_apart: bool) -> None:
    """Probe a format by all shapes; ends with 1 if one grows faster than its input."""
    faults = 0
    for seed in found:
        for shape in shapes(is_apart=is_apart):
            if wanted in shape.name:
                for fault in _growth(name, shape, seed):
                    faults += 1
                    print(f"{name}: {shape.name}: {fault}", flush=True)
    sys.exit(1 if faults else 0)


def _growth(name: str, shape: Shape, seed: bytes) -> Iterator[str]:
    """What grows faster than the input, between the two greatest sizes; measured twice before it is reported."""
    found: list[Cost] = []
    for size in shape.sizes:
        try:
            found.append(cost(formats()[name], shape.grown(seed, size)))
        except Exception as error:  # noqa: BLE001  a parser that raises is what is looked for
            yield f"raised {type(error).__name__} at {size}: {error}"
            return
        if found[-1].cpu_s > MOST_S:
            break
    sizes = shape.sizes[: len(found)][-2:]
    if any(_faults(*found[-2:])):
        again = [
            least(held, cost(formats()[name], shape.grown(seed, size)))
            for held, size in zip(found[-2:], sizes, strict=True)
        ]
        yield from _faults(*again)


def _faults(before: Cost, now: Cost) -> Iterator[str]:
    grown = f"for {before.bytes:,} and {now.bytes:,} bytes"
    if now.cpu_s > ENOUGH_S:
        exponent = _exponent(before.bytes, now.bytes, before.cpu_s, now.cpu_s)
        if exponent > MOST_EXPONENT:
            yield f"{before.cpu_s:.2f} to {now.cpu_s:.2f} CPU s {grown}, exponent {exponent:.2f}"
    if now.peak_mib > SPARE_MIB:
        exponent = _exponent(before.bytes, now.bytes, max(before.peak_mib, SPARE_MIB / 2), now.peak_mib)
        if exponent > MOST_EXPONENT:
            yield f"{before.peak_mib:.0f} to {now.peak_mib:.0f} MiB {grown}, exponent {exponent:.2f}"


def _exponent(size: float, greater: float, cost: float, costlier: float) -> float:
    """1 where the cost grows as the size does."""
    return math.log(costlier / cost) / math.log(greater / size) if greater > size else 0.0
