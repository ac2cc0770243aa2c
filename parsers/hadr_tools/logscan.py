"""Reading output of db2logscan and of hadrCalculator.pl, which echoes it and writes its predictions between.

Lines are set aside by rule where they only say what was scanned and how. Times are the ends of intervals.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime

from parsers.by_line import CONTINUATION, ignored, rejected
from parsers.format import Table
from parsers.hadr_tools.distribution import Distributions, is_distribution
from parsers.hadr_tools.sheet import ELISION, NUMBER, Row, Sheet, decimal, whole
from parsers.hadr_tools.tables import HADR_FIGURE, HADRCALC_PREDICTION, LOGSCAN_INTERVAL

MODE = r"SYNC|NEARSYNC|ASYNC|SUPERASYNC"
# REAL: 2013-02-26 15:32:09  7.307 MB/s, 60 sec,  17.6 pg/f, 0.009435 sec/f,  15.9 pg/tr, 0.186589 sec/tr,
#       0.008580 sec/cmt, nOpenTrans  22.7     (one line)
INTERVAL = re.compile(
    r"(?P<at>[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2})\s+"
    rf"(?P<mb_s>{NUMBER}) MB/s,\s+(?P<interval_s>{NUMBER}) sec,\s+"
    rf"(?P<pages_per_flush>{NUMBER}) pg/f,\s+(?P<sec_per_flush>{NUMBER}) sec/f,\s+"
    rf"(?P<pages_per_transaction>{NUMBER}) pg/tr,\s+(?P<sec_per_transaction>{NUMBER}) sec/tr,\s+"
    rf"(?P<sec_per_commit>{NUMBER}) sec/cmt,\s+nOpenTrans\s+(?P<open_transactions>{NUMBER})"
)


def _group(name: str) -> str:
    return (
        rf"(?P<{name}_mb_s>{NUMBER}) MB/s@\s*(?P<{name}_pages>[0-9]{{1,18}}) pg/f "
        rf"(?P<{name}_sec_per_flush>{NUMBER}) s/f"
    )


# REAL: SYNC       ??    1.373 MB/s@  42 pg/f 0.120146 s/f, min   0.132 MB/s@   3 pg/f 0.103504 s/f,
#       max   3.362 MB/s@ 139 pg/f 0.161864 s/f     (one line)
PREDICTION = re.compile(
    rf"(?P<mode>{MODE})\s++(?:(?P<marker>\?{{1,3}})\s*+)?"
    rf"{_group('target')}, min\s+{_group('min')}, max\s+{_group('max')}"
)
# REAL: REMOTE CATCHUP      10.000 MB/s@  16 pg/f 0.006250 s/f
CATCHUP = re.compile(rf"(?P<mode>REMOTE CATCHUP)\s++(?:(?P<marker>\?{{1,3}})\s*+)?{_group('target')}")
# REAL: actual           7.307 MB/s@  17 pg/f 0.009435 s/f
ACTUAL = re.compile(rf"actual\s+{_group('actual')}")

FIGURES = (
    # REAL: hadrCalculator.pl: Network speed 10 MB/s, .1 second round trip time
    re.compile(
        rf"hadrCalculator\.pl: Network speed (?P<network_mb_s>{NUMBER}) MB/s, "
        rf"(?P<round_trip_s>{NUMBER}) second round trip time"
    ),
    re.compile(
        rf"hadrCalculator\.pl: Disk speed (?P<disk_mb_s>{NUMBER}) MB/s, "
        rf"(?P<disk_overhead_s>{NUMBER}) second overhead per write"
    ),
    # REAL: SYNC       Max flush size: predicted 360 pages, workload max 1126 pages
    re.compile(
        rf"(?P<mode>{MODE})\s+Max flush size: predicted\s+(?P<predicted_max_pages>[0-9]{{1,18}}) pages, "
        r"workload max\s+(?P<workload_max_pages>[0-9]{1,18}) pages"
    ),
    # REAL: Average rate         4.096 MB/s
    re.compile(rf"Average rate\s+(?P<average_mb_s>{NUMBER}) MB/s"),
    # REAL: 3906.125 MB scanned in 5.300 seconds, scanning rate 736.941 MB/second
    re.compile(
        rf"(?P<scanned_mb>{NUMBER}) MB scanned in (?P<scan_s>{NUMBER}) seconds, "
        rf"scanning rate (?P<scan_mb_s>{NUMBER}) MB/second"
    ),
)
# REAL: transTable: nOpenTran=48 openTranSize=5910673 nBuckets=1024 nAdds=166489 nCollisions=1243 collisionRate=0%
TRANSACTIONS = re.compile(rf"transTable:(?: \w{{1,40}}={NUMBER}%?)+")
PAIR = re.compile(rf"\b(\w{{1,40}})=({NUMBER})")
BEGINS = re.compile(r"This machine is (?:small|little|big) endian\.")
CALCULATOR = re.compile(r"hadrCalculator\.pl: Network speed ")
# REAL: WARNING: Non-continuous extent number. Context cleared.
GAP = re.compile(r"WARNING: Non-continuous extent number\..*")
ABOUT = re.compile(
    r'Environment variable TZ is .*|Timezone is .*|Current local time is .*|File ".*"|FormatVersion .*|WARNING: .*'
    r"|hadrCalculator\.pl: Reading from .*"
)
DAMAGED = re.compile(
    rf"(?:{MODE}|actual|REMOTE CATCHUP)\s|[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}} |Total [0-9]|Distribution of |Exactly\s"
    r"|From [0-9]|Zero\s|Average rate|hadrCalculator\.pl|transTable:"
)


def read(texts: list[str]) -> Sheet:
    """Classify the lines of one file, and gather intervals, predictions, numbers and distributions."""
    reader = _Reader(Sheet(texts))
    for index, text in enumerate(texts):
        if plain := text.strip():
            reader.take(index, plain)
    return reader.sheet


@dataclass(slots=True)
class _Reader:
    """Takes the lines of a file one after another. `stamp` is that of the interval that predictions are made for."""

    sheet: Sheet
    run_no: int = 1
    has_begun: bool = False
    is_after_gap: bool = False
    stamp: datetime | None = None
    distributions: Distributions = field(init=False)

    def __post_init__(self) -> None:
        self.distributions = Distributions(self.sheet)

    def take(self, index: int, text: str) -> None:
        """Classify a line that is not blank."""
        if is_distribution(text):
            self.distributions.read(index, text, self.run_no)
        elif BEGINS.fullmatch(text) or CALCULATOR.match(text):
            self._begin()
            self._about(index, text)
        elif interval := INTERVAL.fullmatch(text):
            self._interval(index, interval)
        elif prediction := PREDICTION.fullmatch(text) or CATCHUP.fullmatch(text):
            self._prediction(index, prediction)
        elif ACTUAL.fullmatch(text):
            self.sheet.classify(index, CONTINUATION)
        else:
            self._about(index, text)

    def _begin(self) -> None:
        """A new scan begins, unless nothing of the one before has been seen: the calculator echoes the scan's head."""
        self.run_no += self.has_begun
        self.has_begun, self.is_after_gap, self.stamp = False, False, None
        self.distributions.forget()

    def _interval(self, index: int, interval: re.Match[str]) -> None:
        self.has_begun = True
        try:
            self.stamp = datetime.fromisoformat(interval["at"])
        except ValueError:
            self.stamp = None
            self.sheet.classify(index, rejected("impossible date"))
            return
        numbers: Row = {name: decimal(text) for name, text in interval.groupdict().items() if name != "at"}
        self._dated(index, LOGSCAN_INTERVAL, numbers | {"is_after_gap": self.is_after_gap})
        self.is_after_gap = False

    def _prediction(self, index: int, prediction: re.Match[str]) -> None:
        said = prediction.groupdict()
        row: Row = {"mode": said.pop("mode"), "marker": said.pop("marker")}
        row |= {name: whole(text) if name.endswith("_pages") else decimal(text) for name, text in said.items()}
        self.has_begun = True
        if row["mode"] == "REMOTE CATCHUP":
            self.stamp = None  # of the whole scan
        self._dated(index, HADRCALC_PREDICTION, row)

    def _dated(self, index: int, table: Table, row: Row) -> None:
        dated: Row = {"stamp": self.stamp, "has_year": True} if self.stamp else {}
        self.sheet.add(table, index, run_no=self.run_no, **dated, **row)

    def _about(self, index: int, text: str) -> None:
        """Numbers about the whole scan, and lines that are set aside."""
        if found := next((found for each in FIGURES if (found := each.fullmatch(text))), None):
            self._figures(index, found.groupdict())
        elif TRANSACTIONS.fullmatch(text):
            self._figures(index, dict(PAIR.findall(text)))
        elif BEGINS.fullmatch(text) or ABOUT.fullmatch(text):
            self.is_after_gap |= GAP.fullmatch(text) is not None
            self.sheet.classify(index, ignored("about the scan"))
        elif ELISION.match(text):
            self.sheet.classify(index, ignored("left out by whoever copied the output"))
        elif DAMAGED.match(text):
            self.sheet.classify(index, rejected("begins like a line of the tool, but goes on differently"))
        else:
            self.sheet.classify(index, rejected("no line of db2logscan or hadrCalculator.pl"))

    def _figures(self, index: int, said: dict[str, str]) -> None:
        mode = said.pop("mode", None)
        for name, text in said.items():
            self.sheet.add(HADR_FIGURE, index, run_no=self.run_no, name=name, label=mode, value=decimal(text))
