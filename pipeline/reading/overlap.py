"""Where the lines of one file are those of another, and where a file repeats its own. Pure: hashes of lines in.

An overlap runs from the beginning of one file to the end of one, on the same or the other: a whole file, an earlier
copy of a growing one, the end of one that is the beginning of the next. Equal stretches in the midst of two files are
none: two logs of one host share many.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from typing import NamedTuple

import polars as pl

ANCHOR_LINES = 3
MAX_PLACES = 64
"""Places at which an overlap is tried: more than these begin with lines that prove nothing."""

INDEXED_LINES = 20_000
"""Longer files are compared line by line; there are never many of them."""

_BASE = 0x9E3779B97F4A7C15
_WORD = 2**64 - 1


class Overlap(NamedTuple):
    """A number of lines: those from `first` on are the other file's from `other_first` on; both counted from 0.

    `is_cut`: the last of them is only compared up to the end of the file, which may have been copied while it grew.
    """

    first: int
    other_first: int
    length: int
    is_cut: bool = False


class IndexedLines:
    """The hashes of a file's lines, and what shows in microseconds that another file does not overlap with it.

    A study may have thousands of small files of one node that begin alike, and each of them is held against all others.
    """

    def __init__(self, hashes: pl.Series, *, is_open: bool) -> None:
        self.hashes = hashes
        self.is_open = is_open
        self.count = len(hashes)
        self.first = int(hashes[0]) if self.count else 0
        self._found: dict[int, list[int]] = {}

    @property
    def is_indexed(self) -> bool:
        """Whether it is short enough for an index, which takes two more numbers a line."""
        return self.count <= INDEXED_LINES

    def may_overlap(self, other: "IndexedLines") -> bool:
        """Whether some lines are the same from the beginning of one file to the end of one; never wrongly False."""
        if not self.count or not other.count:
            return False
        if not self.is_indexed or not other.is_indexed:
            return True
        here, there = self.places(other.first), other.places(self.first)
        if here == there == [0]:
            return self._is_one(other, 0)
        if len(here) + len(there) > MAX_PLACES:
            return True
        return any(self._is_one(other, shift) for shift in {*here, *(-place for place in there)})

    def _is_one(self, other: "IndexedLines", shift: int) -> bool:
        first = max(0, shift)
        length = min(self.count, other.count + shift) - first
        if self._is_same(other, first, shift, length):
            return True
        is_cut = self.is_open and length > 1 and first + length == self.count
        return is_cut and self._is_same(other, first, shift, length - 1)

    def _is_same(self, other: "IndexedLines", first: int, shift: int, length: int) -> bool:
        """By sums of hashes, each times a power that grows with its line: those of a stretch are a difference."""
        own, its = self.sums, other.sums
        mine = own[first + length] - own[first]
        yours = its[first - shift + length] - its[first - shift]
        if shift < 0:
            mine *= _power(-shift)
        else:
            yours *= _power(shift)
        return (mine - yours) & _WORD == 0

    def places(self, value: int) -> list[int]:
        """The lines that have a hash, counted from 0."""
        if value not in self._found:
            at = bisect_left(self._sorted, value)
            if at == self.count or self._sorted[at] != value:
                return []
            self._found[value] = (self.hashes == value).arg_true().to_list()
        return self._found[value]

    @cached_property
    def _sorted(self) -> "array[int]":
        return array("Q", self.hashes.sort().to_list())

    @cached_property
    def sums(self) -> "array[int]":
        """Up to each line: hashes, each times a power of its line, modulo 2^64."""
        total, power = 0, 1
        sums = array("Q", [0])
        for value in self.hashes.to_list():
            total = (total + value * power) & _WORD
            power = power * _BASE & _WORD
            sums.append(total)
        return sums


@cache
def _power(exponent: int) -> int:
    return pow(_BASE, exponent, _WORD + 1)


def overlaps(own: pl.Series, other: pl.Series) -> list[Overlap]:
    """Every overlap of two files that is one of them or has at least three lines, by the hashes of their lines."""
    shifts = {0, len(own) - len(other)}
    shifts |= set(_places(other, own)) | {-shift for shift in _places(own, other)}
    found = [_on_diagonal(own, other, shift) for shift in sorted(shifts, key=abs)]
    return [each for each in found if each is not None]


def repeats(own: pl.Series, seams: Sequence[int]) -> list[Overlap]:
    """Stretches that are in a file twice in a row, the later one (`first`) beginning about one of some lines."""
    starts = [seam for seam in seams if 0 < seam < len(own)]
    hashes = own.gather(starts)
    at = pl.int_range(len(own), eager=True).filter(own.is_in(hashes.implode()))
    places: dict[int, list[int]] = {}
    for line, value in zip(at.to_list(), own.gather(at).to_list(), strict=True):
        places.setdefault(value, []).append(line)
    found: list[Overlap] = []
    for seam, value in zip(starts, hashes.to_list(), strict=True):
        end = found[-1].first + found[-1].length if found else 0
        if seam < end:
            continue
        earlier = [line for line in places[value] if line < seam][-MAX_PLACES:]
        twice = filter(None, (_twice(own, line, seam, end) for line in earlier))
        found += sorted(twice, key=lambda each: each.length)[-1:]
    return found


def _twice(own: pl.Series, earlier: int, later: int, floor: int) -> Overlap | None:
    """The stretch, from `floor` on, that two equal lines are in, if its one copy ends where the other begins."""
    before = 0  # lines that belong to it and are before the first dated one
    while before < min(earlier, later - floor) and own[earlier - before - 1] == own[later - before - 1]:
        before += 1
    length = _common(own, earlier - before, later - before)
    return Overlap(later - before, earlier - before, length) if length == later - earlier else None


def _common(own: pl.Series, earlier: int, later: int) -> int:
    """How many lines from two places on are the same, up to the later place and to the end."""
    most = min(later - earlier, len(own) - later)
    length = step = 0
    while length < most:
        step = min(max(64, 2 * step), most - length)
        differs = own.slice(earlier + length, step) != own.slice(later + length, step)
        first = differs.arg_max() or 0
        if differs[first]:
            return length + first
        length += step
    return most


def _places(beginning: pl.Series, within: pl.Series) -> Iterator[int]:
    """Where the beginning of one file may be in another: by the rarest of its first lines.

    A short overlap is at the end of the other file; a long one has a line among its first ones that is rare.
    """
    for count in {min(ANCHOR_LINES, len(beginning)), min(MAX_PLACES, len(beginning))}:
        found = [(within == beginning[line]).arg_true() for line in range(count)]
        rarest = min(range(count), key=lambda line: len(found[line]), default=0)
        for place in found[rarest].tail(MAX_PLACES).to_list() if found else ():
            if place >= rarest:
                yield place - rarest


def _on_diagonal(own: pl.Series, other: pl.Series, shift: int) -> Overlap | None:
    """The overlap with `own` this many lines ahead: all that is side by side has to be the same."""
    first = max(0, shift)
    length = min(len(own), len(other) + shift) - first
    if length <= 0:
        return None
    left, right = own.slice(first, length), other.slice(first - shift, length)
    samples = [length // 4, length // 2, 3 * length // 4]
    if any(left[at] != right[at] for at in samples if at < length - 1):
        return None
    if left.equals(right):
        return Overlap(first, first - shift, length)
    if first + length == len(own) and length > 1 and left.head(length - 1).equals(right.head(length - 1)):
        return Overlap(first, first - shift, length, is_cut=True)
    return None
