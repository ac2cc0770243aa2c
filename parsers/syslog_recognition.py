"""Which log of messages a file is, by the framings of its first lines."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

import polars as pl

from parsers.format import Recognition, Refusal
from parsers.syslog_framing import framing_of
from parsers.syslog_records import NOISE

SNIFFED_LINES = 200
LEAST_SHARE = 0.6
SIGNATURE = 0.9
"""Confidence of a claim by a signature that no other format has."""


@dataclass(frozen=True, slots=True)
class Sniffed:
    """The first lines of a file that are not blank: number, text, framing (None: no head).

    `judged`: those that speak for or against a format: neither noise nor the continuation of a record.
    """

    lines: tuple[tuple[int, str, str | None], ...]
    judged: tuple[tuple[int, str, str | None], ...]

    def of(self, *framings: str) -> list[int]:
        """Numbers of the judged lines of these framings."""
        return [number for number, _, framing in self.judged if framing in framings]

    def share(self, *framings: str) -> float:
        """How much of the judged lines has one of these framings, 0 to 1."""
        return len(self.of(*framings)) / len(self.judged) if self.judged else 0.0

    def others(self, *framings: str) -> str:
        """What most lines of other framings are, for a refusal; empty if there is none."""
        counts = Counter(framing for _, _, framing in self.judged if framing and framing not in framings)
        return "".join(f", {count} are framed as {framing}" for framing, count in counts.most_common(1))


def sniff(head: pl.Series) -> Sniffed:
    """Look at the first lines of a file; remembered, as every format asks."""
    return _sniff(tuple(head.to_list()))


def claim(seen: Sniffed, name: str, *framings: str, least: float = LEAST_SHARE) -> Recognition | Refusal:
    """Claim a file whose lines are of these framings, which no other format has."""
    own = seen.of(*framings)
    if not seen.lines:
        return Refusal("no line to judge by", 1)
    if own and seen.share(*framings) >= least:
        confidence = SIGNATURE + 0.05 * seen.share(*framings)
        return Recognition(round(confidence, 3), f"{len(own)} of the first {len(seen.lines)} lines are {name}", own[0])
    return refusal(seen, f"only {len(own)} of {len(seen.judged)} lines are {name}{seen.others(*framings)}", *framings)


def refusal(seen: Sniffed, reason: str, *framings: str) -> Refusal:
    """Refuse a file on the first line of another framing."""
    others = [number for number, _, framing in seen.judged if framing not in framings]
    first = seen.lines[0][0] if seen.lines else 1
    return Refusal(reason, others[0] if others else first)


@lru_cache(maxsize=8)
def _sniff(head: tuple[str, ...]) -> Sniffed:
    text = pl.DataFrame({"line": head}, schema={"line": pl.String}).with_row_index("line_no", offset=1)
    cleaned = text.with_columns(pl.col("line").str.strip_chars_start("\0\ufeff"))
    lines = cleaned.filter(pl.col("line").str.contains(r"[^\s\x00]")).head(SNIFFED_LINES)
    framed = lines.with_columns(framing_of().alias("framing"))
    continues = pl.col("line").str.contains(r"^[ \t]") & pl.col("framing").is_not_null().cum_max()
    is_noise = pl.col("framing").is_null() & pl.col("line").str.contains("|".join(NOISE.values()))
    judged = framed.filter(~(continues | is_noise))
    return Sniffed(tuple(framed.iter_rows()), tuple(judged.iter_rows()))
