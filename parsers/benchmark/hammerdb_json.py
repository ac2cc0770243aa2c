"""JSON of HammerDB's jobs: result, timing per transaction, samples of the counter; on one line or on many.

RECONSTRUCTED from the product's manual: the shapes are recognised by their keys, wherever they stand.
"""

import re
from collections.abc import Iterable
from datetime import datetime

from parsers.benchmark.hammerdb_result import CLIENTS, result_in
from parsers.benchmark.measurement_lines import row
from parsers.by_line import LineVerdict, ignored, parsed, rejected
from parsers.measurement import COUNT, MILLISECONDS, PER_MINUTE

# "NEWORD": {        "avg_ms": "3.4"        "2022-12-01 16:19:20"        "2025-04-14 13:18:44": "1630290"
TOKEN = re.compile(
    r'"(?P<group>[^"\\]{1,60})"\s*:\s*\{'
    r'|"(?P<key>calls|min_ms|avg_ms|max_ms|p50_ms|p95_ms|p99_ms|sd)"\s*:\s*"?(?P<number>[0-9]{1,15}(?:\.[0-9]{1,9})?)"?'
    r'|"(?P<at>[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2})"(?:\s*:\s*"?(?P<sample>[0-9]{1,15})"?)?'
    r'|"(?=[^"\\]*+")(?P<text>[^"\\]*System achieved [^"\\]*)"'
)
TIMINGS = {
    "calls": ("calls", COUNT),
    "min_ms": ("latency_min_ms", MILLISECONDS),
    "avg_ms": ("latency_avg_ms", MILLISECONDS),
    "max_ms": ("latency_max_ms", MILLISECONDS),
    "p50_ms": ("latency_p50_ms", MILLISECONDS),
    "p95_ms": ("latency_p95_ms", MILLISECONDS),
    "p99_ms": ("latency_p99_ms", MILLISECONDS),
    "sd": ("latency_stddev_ms", MILLISECONDS),
}
FRAME = re.compile(r'[\[\]{},\s]*+|\s*+"[^"\\]*+"(?:\s*+:\s*+(?:"[^"\\]*+"|[0-9.]++|\{|\[))?[,\]}\s]*+')


def read_json(texts: list[str]) -> Iterable[LineVerdict]:
    """Classify the lines of one file of JSON."""
    state = _State()
    classified = []
    for text in texts:
        rows = [each for token in TOKEN.finditer(text) for each in state.rows_of(token)]
        if clients := CLIENTS.search(text):
            state.clients = int(clients["clients"])
        if rows:
            classified.append(parsed(*rows))
        elif FRAME.fullmatch(text):
            classified.append(ignored("frame of the JSON, or a key that is no figure"))
        else:
            classified.append(rejected("neither a figure nor the frame of HammerDB's JSON"))
        state.all_rows += rows
    for each in state.all_rows:
        each["clients"] = state.clients
    return classified


class _State:
    """What was read so far: the object that the next keys are of, and the time of the job."""

    def __init__(self) -> None:
        self.group: str | None = None
        self.stamp: datetime | None = None
        self.clients: int | None = None
        self.all_rows: list[dict[str, object]] = []

    def rows_of(self, token: re.Match[str]) -> list[dict[str, object]]:
        if token["group"]:
            self.group = token["group"]
        elif token["text"]:
            return [each | {"summary_no": 1, "stamp": self.stamp} for each in result_in(token["text"])]
        elif token["key"]:
            metric, unit = TIMINGS[token["key"]]
            return [row(metric, unit, float(token["number"]), summary_no=1, label=self.group)]
        elif token["sample"]:
            return self._samples(token)
        else:
            self.stamp = _instant(token["at"]) or self.stamp
        return []

    def _samples(self, token: re.Match[str]) -> list[dict[str, object]]:
        stamp = _instant(token["at"])
        if stamp is None or not (self.group or "").endswith(" tpm"):
            return []
        return [row("tpm", PER_MINUTE, float(token["sample"]), summary_no=1, stamp=stamp, interval_s=10.0)]


def _instant(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
