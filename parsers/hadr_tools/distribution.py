"""Distributions as simhadr, db2logscan and hadrCalculator.pl print them.

    Distribution of send size (unit is byte):
    Total 10893 numbers, Sum 410255360, Min 752, Max 86880, Avg 37662
    13 zeros                                     db2logscan: `Zero 13 numbers 1%`
    Exactly     131072        3130 numbers       at most eight values, in the order in which they first occurred
    From 512 to 1023          192 numbers        else powers of two, empty buckets left out; db2logscan adds a share

Columns are padded differently by each tool: any white space separates.
"""

import re
from dataclasses import dataclass, field

from parsers.by_line import CONTINUATION
from parsers.hadr_tools.sheet import NUMBER, Row, Sheet, decimal, whole
from parsers.hadr_tools.tables import HADR_BUCKET, HADR_DISTRIBUTION

# REAL: Distribution of log shipping time (unit is microsecond):
HEADING = re.compile(r"Distribution of (?P<metric>.{1,200}) \(unit is (?P<unit>\S{1,50})\):")
# REAL: Total 3136 numbers, Sum 848714, Min 208, Max 824, Avg 270
TOTAL = re.compile(
    rf"Total (?P<n>[0-9]{{1,18}}) numbers, Sum (?P<sum>{NUMBER}), Min (?P<min>{NUMBER}), Max (?P<max>{NUMBER}), "
    rf"Avg (?P<avg>{NUMBER})"
)
SHARE = rf"(?:\s+(?P<pct>{NUMBER})%)?"
BUCKETS = (
    # REAL: 13 zeros
    re.compile(r"(?P<count>[0-9]{1,18}) zeros"),
    re.compile(rf"Zero\s+(?P<count>[0-9]{{1,18}}) numbers{SHARE}"),
    # REAL: Exactly      1.362           1 numbers  12%
    re.compile(rf"Exactly\s+(?P<value>{NUMBER})\s+(?P<count>[0-9]{{1,18}}) numbers{SHARE}"),
    # REAL: From 128 to 255                  120 numbers
    re.compile(rf"From (?P<lo>{NUMBER}) to (?P<hi>{NUMBER})\s+(?P<count>[0-9]{{1,18}}) numbers{SHARE}"),
)


def is_distribution(text: str) -> bool:
    """Whether a line belongs to a distribution."""
    return any(each.fullmatch(text) for each in (HEADING, TOTAL, *BUCKETS))


@dataclass(slots=True)
class Distributions:
    """The distributions of a file, as its lines go by."""

    sheet: Sheet
    count: int = 0
    metrics: set[str] = field(default_factory=set)
    _open: Row | None = None

    def read(self, index: int, text: str, run_no: int) -> bool:
        """Take a line that belongs to a distribution; False if it does not."""
        if heading := HEADING.fullmatch(text):
            self.metrics.add(heading["metric"])
            self._begin(index, run_no, **heading.groupdict())
        elif total := TOTAL.fullmatch(text):
            if self._open is None or "n" in self._open:
                self._begin(index, run_no)
            self._total(total)
            self.sheet.classify(index, CONTINUATION)
        elif bucket := next((found for each in BUCKETS if (found := each.fullmatch(text))), None):
            if self._open is None:
                self._begin(index, run_no)
            self._bucket(index, bucket)
        else:
            return False
        return True

    def close(self) -> None:
        """Something else follows: further buckets belong to no distribution known so far."""
        self._open = None

    def forget(self) -> None:
        """Another run begins: it may print the same distributions."""
        self.metrics.clear()
        self.close()

    def _begin(self, index: int, run_no: int, **values: object) -> None:
        self.count += 1
        self._open = self.sheet.add(HADR_DISTRIBUTION, index, run_no=run_no, distribution_no=self.count, **values)

    def _total(self, total: re.Match[str]) -> None:
        if self._open is not None:
            self._open["n"] = whole(total["n"])
            self._open |= {name: decimal(total[name]) for name in ("sum", "min", "max", "avg")}

    def _bucket(self, index: int, bucket: re.Match[str]) -> None:
        found = bucket.groupdict()
        value = decimal(found.get("value"))
        edges = (decimal(found["lo"]), decimal(found["hi"])) if "lo" in found else (value or 0.0, value or 0.0)
        shared = {name: (self._open or {}).get(name) for name in ("run_no", "distribution_no", "metric")}
        self.sheet.add(
            HADR_BUCKET,
            index,
            **shared,
            lo=edges[0],
            hi=edges[1],
            count=whole(found["count"]),
            exact=edges[0] == edges[1],
            pct=decimal(found.get("pct")),
        )
