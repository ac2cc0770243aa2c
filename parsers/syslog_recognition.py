"""Which log of messages a file is, by the framings of its first lines."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress

import polars as pl

from parsers.format import Recognition, Refusal
from parsers.syslog_framing import COMMON, framing_of, possible
from parsers.syslog_records import NOISE

SNIFFED_LINES = 200
LEAST_SHARE = 0.6
SIGNATURE = 0.9
"""Confidence of a claim by a signature that no other format has."""


@dataclass(frozen=True, slots=True)
class Sniffed:
    """The first lines of a file that are not blank: number, text, framing (empty: no head).

    `judged`: those that speak for or against a format: neither noise nor the continuation of a record.
    """

    lines: tuple[tuple[int, str, str], ...]
    judged: tuple[tuple[int, str, str], ...]

    def of(self, *framings: str) -> list[int]:
        """Numbers of the judged lines of these framings."""
        return [number for number, _, framing in self.judged if framing in framings]

    def others(self, *framings: str) -> str:
        """What most lines of other framings are, for a refusal; empty if there is none."""
        counts = Counter(framing for _, _, framing in self.judged if framing and framing not in framings)
        return "".join(f", {count} are framed as {framing}" for framing, count in counts.most_common(1))


def sniff(head: pl.Series) -> Sniffed:
    """Look at the first lines of a file; remembered, as every format asks."""
    return _sniff(tuple(head.to_list()))


def claim(
    seen: Sniffed, name: str, *framings: str, mixed_with: Mapping[str, str] | None = None, least: float = LEAST_SHARE
) -> Recognition | Refusal:
    """Claim a file whose lines are of these framings, which no other format has.

    `mixed_with`: what such a file may hold besides, framings with the pattern of such lines.
    """
    if not seen.lines:
        return Refusal("no line to judge by", 1)
    own, others = seen.of(*framings), mixed_with or {}
    beside = [text for _, text, framing in seen.judged if framing in others and re.search(others[framing], text)]
    fitting = len(own) + len(beside)
    if own and fitting >= least * len(seen.judged):
        confidence = SIGNATURE + 0.05 * fitting / len(seen.judged)
        return Recognition(round(confidence, 3), f"{len(own)} of the first {len(seen.lines)} lines are {name}", own[0])
    reason = f"only {len(own)} of {len(seen.judged)} lines are {name}{seen.others(*framings)}"
    return refusal(seen, reason, *framings)


def refusal(seen: Sniffed, reason: str, *framings: str) -> Refusal:
    """Refuse a file on the first line of another framing."""
    others = [number for number, _, framing in seen.judged if framing not in framings]
    first = seen.lines[0][0] if seen.lines else 1
    return Refusal(reason, others[0] if others else first)


@lru_cache(maxsize=64)
def _sniff(head: tuple[str, ...]) -> Sniffed:
    line, framing = pl.col("line"), pl.col("framing")
    framings = possible((*COMMON, "bare", "postgresql_own"), "\n".join(head))
    continues = line.str.contains(r"^[ \t]") & (framing != "").cum_max()
    is_noise = (framing == "") & line.str.contains("|".join(NOISE.values()))
    seen = (
        pl.LazyFrame({"line": head}, schema={"line": pl.String})
        .with_row_index("line_no", offset=1)
        .with_columns(line.str.strip_chars_start("\0\ufeff"))
        .filter(line.str.contains(r"[^\s\x00]"))
        .head(SNIFFED_LINES)
        .with_columns(framing_of(framings).fill_null("").alias("framing"))
        .with_columns((~(continues | is_noise)).alias("is_judged"))
        .collect()
    )
    lines = [(number, text, name) for number, text, name, _ in seen.iter_rows()]
    return Sniffed(tuple(lines), tuple(compress(lines, seen["is_judged"])))
