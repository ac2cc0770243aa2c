"""What a text that no format recognises looks like, with the line that shows it.

Only what the first lines support is said. Two kinds of evidence: what is a known kind of text (`look`), and which
format can read some of them (`nearest`).
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch

import polars as pl

from parsers.format import LINE_SCHEMA, Format, Hint, Verdict, formats

MOST = 0.8
"""A share of the lines that makes out a file."""

MAX_LOOKS = 3
MIN_ROWS = 3


@dataclass(frozen=True, slots=True)
class Look:
    """What a text looks like, and the line that shows it."""

    what: str
    line_no: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Nearest:
    """The format that can read most of the first lines: `read_count` of `line_count`, from `line_no` on."""

    format: str
    read_count: int
    line_count: int
    line_no: int


OTHER_TEXTS = (
    Hint(r"^#!\s*(?:\S*/)?(?:env\s+(?:-S\s+)?)?(?:sh|bash|ksh|zsh|csh|tcsh|dash)\b", "a shell script"),
    Hint(r"^#!\s*(?:\S*/)?(?:env\s+(?:-S\s+)?)?(?:python|perl|awk|ruby|expect|tclsh|php)", "a script"),
    Hint(r"^Script started on ", "a terminal session recorded by script(1)"),
    Hint(r"^\s*<\?xml\b", "XML"),
    Hint(r"(?i)^\s*<(?:!doctype html|html)\b", "an HTML page"),
    Hint(r"^(?:diff --git |--- \S+.*[0-9]{4}-|Index: \S+$)", "a patch (diff)"),
    Hint(r"^-----BEGIN [A-Z ]+-----$", "a key or certificate"),
    Hint(r"^From \S+ .*[0-9]{4}$|^(?:Received|Message-ID): ", "a mail"),
    Hint(r"^Traceback \(most recent call last\):", "a Python traceback"),
    Hint(r"^SQL[0-9]{4}[NWCI]\s|^DB2[0-9]{5}[IEN]\s", "the output of DB2 commands"),
    Hint(
        r"(?i)^\s*(?:select\s.+\sfrom\s|insert into \w|create \w+ \w+|update \w+ set |delete from )", "SQL statements"
    ),
    Hint(r"^\s*(?:def \w+\(|class \w+[:(]|import \w+$|from \w+ import |#include [<\"]|public class )", "source code"),
    Hint(
        r"^\[(?:NOTICE|WARNING|ALERT)\] +(?:[0-9]{3}/[0-9]{6} )?\([0-9]+\) : ",
        "what HAProxy prints on standard error, without a date: its syslog has one",
    ),
    Hint(
        r"^(?:NOTICE|INFO|WARNING|DETAIL|HINT): .*\b(?:primary|[Ss]tandby|STANDBY|upstream|repmgrd?)\b",
        "what repmgr prints on a terminal, without times: `log_file` has them",
    ),
    Hint(
        r"^\s*node_id\s*\|.*\bevent\s*\||^\s*Node ID\s*\|.*\bEvent\s*\|",
        "repmgr's table of events, to the second: the log of repmgrd has them with their steps",
    ),
    Hint(
        r"^[A-Za-z]\w+\([\w.-]+\)\[[0-9]+\]:\s+(?:INFO|WARNING|ERROR): ",
        "lines of a resource agent without their times: the system log has them",
    ),
    Hint(
        r"^(?:# ?)?(?:\s*LAST SEEN\s+TYPE\s|\s*Type\s+Reason\s+Age\s|[0-9]+[smhd][0-9]*[smhd]?\s+(?:Normal|Warning)\s)",
        "events of Kubernetes by their age, without times: `kubectl get events -o custom-columns="
        "AT:.lastTimestamp,TYPE:.type,POD:.involvedObject.name,TEXT:.message` gives them",
    ),
    Hint(
        r"(?:^|#)\s*Type\s+Status\s+LastHeartbeatTime|\sNodeStatusUnknown\s+Kubelet stopped posting node status",
        "the output of kubectl describe node",
    ),
    Hint(
        r"^\s*\S+ role:(?:Primary|Secondary|Unknown)\b|^[ 0-9]+: cs:\w+ ",
        "DRBD's states of a moment, without times: the kernel's lines in the system log have them",
    ),
    Hint(r"^<msg time='", "Oracle's log.xml: the alert log in text beside it is read"),
    Hint(
        r"^(?:ERR|WARN|INFO|DBG)\s+\[?(?:RHS|RCM|RES|NETWORK|CORE|NODE)\]",
        "cluster.log of Windows without its times",
    ),
    Hint(r"^\s*The system time has changed to ", "texts of Windows events without their times"),
    Hint(r"^TimeCreated\s+Id\s", "a table of Get-WinEvent, which cuts the messages: export CSV or XML"),
    Hint(r"^\x1b\[", "text with commands for a terminal"),
)
"""What no format reads."""

PROMPT = re.compile(
    r"^(?:"
    r"\[[\w.-]+@[\w.-]+[^\]]{0,80}\][$#]|[\w.-]+@[\w.-]+(?::\S*)?\s?[$#%>]|bash-[0-9.]+[$#]|[\w-]+:[/~][^\s$#]*\s?[$#]|\$"
    r"|[A-Za-z]:\\[^>]{0,80}>|db2 =>|mysql>|\w+[=-][#>]|SQL>"
    r")\s*(?P<command>[A-Za-z./][^\n]*)$"
)
DATE_TIMES: tuple[tuple[str, str], ...] = (
    (r"[0-9]{4}[-/.][0-9][0-9][-/.][0-9][0-9][T .-][0-9][0-9][:.][0-9][0-9][:.][0-9][0-9]", "year-month-day and time"),
    (
        r"[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{2,4}[ ,T]+[0-9]{1,2}:[0-9][0-9](?::[0-9][0-9])?",
        "day, month, year and time",
    ),
    (r"[A-Z][a-z]{2} +[0-9]{1,2}(?: [0-9]{4})? [0-9][0-9]:[0-9][0-9]:[0-9][0-9]", "month, day and time"),
    (r"[0-9]{1,2}[ -/][A-Z][a-z]{2}[ -/][0-9]{4}[: T][0-9][0-9]:[0-9][0-9]:[0-9][0-9]", "day, month, year and time"),
    (r"[0-9][0-9]:[0-9][0-9]:[0-9][0-9]", "time of day without a date"),
    (r"[0-9]{10}(?:\.[0-9]+|[0-9]{3})?\b", "seconds since 1970"),
)
SETTING = re.compile(r"^\s*(?P<name>[A-Za-z][\w .()/%-]{0,60}?)\s*[=:]\s*\S")
SECTION = re.compile(r"^\[[^\]]+\]\s*$")
NUMBER = re.compile(
    r"^[-+]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?[kKmMgGtT%]?$|^-$|^nan$", re.IGNORECASE
)
DELIMITERS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "vertical bars"}


def looks(texts: Sequence[str]) -> list[Look]:
    """What the first lines of a text look like, the plainest likeness first."""
    filled = [(number, text) for number, text in enumerate(texts, 1) if text.strip()]
    if not filled:
        return []
    found = [*_prompt(filled), *(_json(filled) or _table(filled)), *_marks(filled)]
    found = found or list(_stamped(filled))
    found = found or [*_settings(filled), *_numbers(filled), *_prose(filled)][:1]
    return found[:MAX_LOOKS]


MIN_READ_SHARE = 0.2
"""Formats read a stray line of many texts: that shows nothing."""


def nearest(heads: Mapping[int, pl.Series], formats: Mapping[str, Format]) -> dict[int, Nearest]:
    """For each text (by number) the format that can read most of its lines, if any can read one; none for a script."""
    texts = {number: head for number, head in sorted(heads.items()) if len(head) and not head[0].startswith("#!")}
    if not texts:
        return {}
    lines = pl.concat(
        pl.DataFrame(
            {
                "file_id": pl.repeat(number, len(head), dtype=pl.Int32, eager=True),
                "line_no": pl.int_range(1, len(head) + 1, dtype=pl.Int32, eager=True),
                "text": head,
            },
            schema=LINE_SCHEMA,
        )
        for number, head in texts.items()
    )
    best: dict[int, Nearest] = {}
    for name, each in formats.items():
        if each.role == "configuration":  # reads almost any name with a value
            continue
        parsed = each.parse(lines)
        verdicts = parsed.lines.filter(pl.col("verdict") == Verdict.PARSED)
        marks = None if each.reports is None else parsed.tables.get(each.reports.marks.name)
        if marks is not None:  # a time alone shows nothing of what printed it
            verdicts = verdicts.join(marks, on=["file_id", "line_no"], how="anti")
        counts = verdicts.group_by("file_id").agg(count=pl.len(), first=pl.col("line_no").min())
        for number, count, first in counts.iter_rows():
            is_much = count >= max(2, MIN_READ_SHARE * len(texts[number]))
            if is_much and (number not in best or count > best[number].read_count):
                best[number] = Nearest(name, count, len(texts[number]), first)
    return best


def fitting_names(file_name: str, formats: Mapping[str, Format]) -> list[str]:
    """The formats whose usual file names fit; `*.cf` and the like fit too much to say anything."""
    lower = file_name.lower()
    return [
        name
        for name, each in formats.items()
        if any(not pattern.startswith("*") and fnmatch(lower, pattern.lower()) for pattern in each.file_names)
    ]


# --- kinds of text ---------------------------------------------------------------------------------------------------


Lines = Sequence[tuple[int, str]]


def _marks(lines: Lines) -> list[Look]:
    found: dict[Hint, Look] = {}
    for hint in (*OTHER_TEXTS, *(hint for each in formats().values() for hint in each.hints)):
        mark = re.compile(hint.pattern)
        hit = next((number for number, text in lines if mark.search(text[:400])), None)
        if hit is not None and hint.what not in {look.what for look in found.values()}:
            found[hint] = Look(hint.what, hit)
    is_clear = any(not hint.is_vague for hint in found)
    return [look for hint, look in found.items() if not (hint.is_vague and is_clear)]


def _table(lines: Lines) -> list[Look]:
    first_no, first = lines[0]
    for delimiter, name in DELIMITERS.items():
        counts = [text.count(delimiter) for _, text in lines]
        columns = counts[0] + 1
        if columns < 3 or len(lines) < MIN_ROWS or counts.count(counts[0]) < MOST * len(counts):
            continue
        cells = [cell.strip().strip('"') for cell in first.split(delimiter)]
        if any(NUMBER.match(cell) or cell[:1].isdigit() for cell in cells):
            return [Look(f"a table without a header: {columns} columns with {name} between them", first_no)]
        shown = ", ".join(cells[:6]) + (", …" if len(cells) > 6 else "")
        known = (
            "values are read from columns such as tps, latency (ms) or throughput (MB/s), beside config, run or time"
        )
        text = f"a table (CSV) with a header: {columns} columns with {name} between them ({shown}); {known}"
        return [Look(text, first_no)]
    return []


def _json(lines: Lines) -> list[Look]:
    first_no, first = lines[0]
    if not re.match(r'\s*[\[{]\s*(?:$|["\[{}\]])', first):
        return []
    try:
        entry = json.loads(first)
    except ValueError:
        key = re.search(r'"([^"]{1,80})"\s*:', " ".join(text for _, text in lines[:20]))
        return [Look(f"JSON, its first key is {key[1]}" if key else "JSON", first_no)]
    if not isinstance(entry, dict):
        return [Look("JSON", first_no)]
    keys = ", ".join(list(entry)[:6])
    each = ", one object a line," if len(lines) > 1 else ""
    return [Look(f"JSON{each} with the keys {keys}", first_no)]


def _prompt(lines: Lines) -> Iterator[Look]:
    for number, text in lines:
        match = PROMPT.match(text[:300])
        if match:
            begins = "starts with" if number == lines[0][0] else "has"
            yield Look(
                f"a copy of a terminal: it {begins} a prompt and the command `{match['command'].strip()}`", number
            )
            return


def _stamped(lines: Lines) -> Iterator[Look]:
    for pattern, what in DATE_TIMES:
        stamp = re.compile(rf"^\W{{0,2}}(?:\S+\s+){{0,2}}?{pattern}")
        hits = [number for number, text in lines if stamp.match(text[:120])]
        if len(hits) >= max(1, len(lines) // 2):
            yield Look(
                f"a log that haledger does not know: {len(hits)} of {len(lines)} lines begin with {what}", hits[0]
            )
            return


def _settings(lines: Lines) -> Iterator[Look]:
    matches = [(number, match) for number, text in lines if (match := SETTING.match(text))]
    names = {match["name"] for _, match in matches}
    sections = sum(bool(SECTION.match(text)) for _, text in lines)
    if len(matches) >= MIN_ROWS and len(matches) + sections >= MOST * len(lines) and len(names) > len(matches) / 2:
        yield Look("settings, a name and a value on each line", matches[0][0])


def _numbers(lines: Lines) -> Iterator[Look]:
    rows = [(number, text.split()) for number, text in lines]
    numeric = [
        (number, len(cells))
        for number, cells in rows
        if sum(map(bool, map(NUMBER.match, cells))) >= max(2, len(cells) - 1)
    ]
    if len(numeric) < max(MIN_ROWS, len(lines) // 2):
        return
    widths = [width for _, width in numeric]
    width = max(set(widths), key=widths.count)
    header = next((text for number, text in reversed(lines) if number < numeric[0][0]), None)
    under = f" under `{' '.join(header.split())}`" if header else ""
    yield Look(f"a table of numbers: {width} columns{under}", numeric[0][0])


def _prose(lines: Lines) -> Iterator[Look]:
    words = [(number, sum(word.strip(".,;:!?()'\"").isalpha() for word in text.split())) for number, text in lines]
    hits = [number for number, count in words if count >= 4]
    has_sentence = any(re.search(r"[a-z]{2}[.!?:]$", text.rstrip()) for _, text in lines)
    if has_sentence and len(hits) >= len(lines) / 2:
        yield Look("text written for people", hits[0])


def wide_text(raw: bytes) -> str | None:
    """The UTF-16 that bytes treated as binary may be: NUL at most odd or even places, less clearly than in ASCII."""
    pairs = len(raw) // 2
    if pairs < 8:
        return None
    high, low = raw[1 : 2 * pairs : 2].count(0), raw[0 : 2 * pairs : 2].count(0)
    if high + low < 0.2 * pairs:
        return None
    if high >= 4 * low:
        return "utf-16-le"
    return "utf-16-be" if low >= 4 * high else None
