"""Which log of messages a file is, by the framings of its first lines."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import polars as pl

from parsers.first_look import FirstLook, together
from parsers.folds import unfolded
from parsers.format import Recognition, Refusal
from parsers.syslog.framing import COMMON, framings_of
from parsers.syslog.locale import in_english
from parsers.syslog.markdown import bare
from parsers.syslog.records import NOISE, kinds_of_start

SNIFFED_LINES = 200
LEAST_SHARE = 0.6
SNIFFED_FRAMINGS = (*COMMON, "bare", "postgresql_own")
SIGNATURE = 0.9
"""Confidence of a claim by a signature that no other format has."""


@dataclass(frozen=True, slots=True)
class Sniffed:
    """The first lines of a file that are not blank: number, text, framing (empty: no head).

    `classified`: those that are evidence for or against a format: neither noise nor the continuation of a record.
    """

    lines: tuple[tuple[int, str, str], ...]
    classified: tuple[tuple[int, str, str], ...]

    def of(self, *framings: str) -> list[int]:
        """Numbers of the evaluated lines of these framings."""
        return [number for number, _, framing in self.classified if framing in framings]

    def others(self, *framings: str) -> str:
        """What most lines of other framings are, for a refusal; empty if there is none."""
        counts = Counter(framing for _, _, framing in self.classified if framing and framing not in framings)
        return "".join(f", {count} are framed as {framing}" for framing, count in counts.most_common(1))


def claim(
    seen: Sniffed, name: str, *framings: str, mixed_with: Mapping[str, str] | None = None, least: float = LEAST_SHARE
) -> Recognition | Refusal:
    """Claim a file whose lines are of these framings, which no other format has.

    `mixed_with`: what such a file may hold besides, framings with the pattern of such lines.
    """
    if not seen.lines:
        return Refusal("no line to decide by", 1)
    own, others = seen.of(*framings), mixed_with or {}
    beside = [text for _, text, framing in seen.classified if framing in others and re.search(others[framing], text)]
    fitting = len(own) + len(beside)
    if own and fitting >= least * len(seen.classified):
        confidence = SIGNATURE + 0.05 * fitting / len(seen.classified)
        return Recognition(round(confidence, 3), f"{len(own)} of the first {len(seen.lines)} lines are {name}", own[0])
    reason = f"only {len(own)} of {len(seen.classified)} lines are {name}{seen.others(*framings)}"
    return refusal(seen, reason, *framings)


def refusal(seen: Sniffed, reason: str, *framings: str) -> Refusal:
    """Refuse a file on the first line of another framing."""
    others = [number for number, _, framing in seen.classified if framing not in framings]
    first = seen.lines[0][0] if seen.lines else 1
    return Refusal(reason, others[0] if others else first)


def _sniffed(heads: Sequence[pl.Series]) -> Iterator[Sniffed]:
    line, framing = pl.col("line"), pl.col("framing")
    lines = (
        unfolded(together(heads), partial(kinds_of_start, framings=SNIFFED_FRAMINGS))
        .filter(~pl.col("is_absorbed"))
        .select("line_no", pl.col("text").alias("line"), pl.col("file_id").alias("head_no"))
        .with_columns(line.str.strip_chars_start("\0\ufeff").map_batches(bare).map_batches(in_english))
        .filter(line.str.contains(r"[^\s\x00]"))
        .filter(pl.int_range(pl.len()).over("head_no") < SNIFFED_LINES)
    )
    is_head = framing.is_in(["klog", "postgresql_own"])  # these may be indented
    continues = line.str.contains(r"^[ \t]") & ~is_head & (framing != "").cum_max().over("head_no")
    is_noise = (framing == "") & line.str.contains("|".join(NOISE.values()))
    seen = lines.with_columns(framings_of(lines["line"], SNIFFED_FRAMINGS).alias("framing")).select(
        "head_no", "line_no", "line", "framing", (~(continues | is_noise)).alias("is_evidence")
    )
    found: list[list[tuple[int, str, str]]] = [[] for _ in heads]
    evidence: list[list[tuple[int, str, str]]] = [[] for _ in heads]
    for number, *each, is_evidence in seen.iter_rows():
        line_no, text, name = each
        found[number].append((line_no, text, name))
        if is_evidence:
            evidence[number].append(found[number][-1])
    yield from (Sniffed(tuple(own), tuple(telling)) for own, telling in zip(found, evidence, strict=True))


_looks = FirstLook(_sniffed)
sniff, sniff_each = _looks.of, _looks.look
"""Look at the first lines of a file, and of several together for the former."""
