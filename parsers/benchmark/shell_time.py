"""What `time` prints of a command: bash, ksh, mksh, POSIX, zsh, csh, tcsh, fish, busybox, BSD, GNU also with -v.

Written by  the shell's keyword, or /usr/bin/time
One row     per time: elapsed_s, user_s, sys_s of the command, which is the label where the text shows it; per message
            of db2start and db2stop that has a stamp (`instance_message`)
Time        those messages are stamped with the wall clock, MM-DD-YYYY; a duration is not dated
Several     times of one command in a text are runs, in their order
Odd         text taken from a page may have joined lines, so the three fields may be on one line, and messages behind
            them. The last line of dd is a measurement; all other text of a terminal is output of commands, set aside
Evidence    ksh, bash and POSIX from real text; csh, zsh and GNU from their manuals
"""

import re
from collections.abc import Iterable

import polars as pl

from parsers.benchmark import dd
from parsers.benchmark.measurement_lines import parse_measurements, row
from parsers.by_line import LineVerdict, ignored, parsed
from parsers.db2.instance_message import INSTANCE_MESSAGE, instance_messages
from parsers.format import Format, Hint, Parsed, Recognition, Refusal, Verdict, recognised_by
from parsers.line_verdict import is_in
from parsers.measurement import MEASUREMENT_VALUE, SECONDS

DURATION = r"(?:(?:[0-9]{1,6}h ?)?(?:[0-9]{1,9}m ?)?[0-9]{1,9}(?:[.,][0-9]{1,9})?s?)"
# REAL: real	0m13.39s        real 0.50
FIELD = re.compile(rf"\s*(?P<name>real|user|sys)\s+(?P<time>{DURATION})\s*")
# REAL: real 0m4.67s user 0m0.48s sys 0m0.89s
JOINED = re.compile(rf"\breal\s+(?P<real>{DURATION})\s+user\s+(?P<user>{DURATION})\s+sys\s+(?P<sys>{DURATION})(?=\s|$)")
#     0m13.39s real     0m0.48s user     0m0.89s system        (mksh; the BSDs and macOS without m and s)
NAMED_BEHIND = re.compile(
    rf"\s*(?P<real>{DURATION}) real\s+(?P<user>{DURATION}) user\s+(?P<sys>{DURATION}) sys(?:tem)?\s*"
)
# Executed in    1.01 secs      fish           external
FISH = re.compile(
    r"\s*(?P<name>Executed in|usr time|sys time)\s+(?P<value>[0-9]+(?:[.,][0-9]+)?) "
    r"(?P<unit>micros|millis|secs|mins|hours)\b.*"
)
FISH_METRICS = {"Executed in": "elapsed_s", "usr time": "user_s", "sys time": "sys_s"}
FISH_UNITS = {"micros": 1e-6, "millis": 1e-3, "secs": 1.0, "mins": 60.0, "hours": 3600.0}
CLOCK = r"(?:[0-9]{1,6}:)?(?:[0-9]{1,6}:)?[0-9]{1,9}(?:\.[0-9]{1,9})?"
NUMBER = r"[0-9]{1,9}(?:\.[0-9]{1,9})?"
# 0.00user 0.00system 0:01.00elapsed 0%CPU (0avgtext+0avgdata 2048maxresident)k
GNU = re.compile(rf"(?P<user>{NUMBER})user (?P<sys>{NUMBER})system (?P<real>{CLOCK})elapsed \S+CPU.*")
GNU_REST = re.compile(r"[0-9]+inputs\+[0-9]+outputs .*")
# ./load.sh  0.00s user 0.00s system 0% cpu 1.237 total
ZSH = re.compile(rf"(?<= )(?P<user>{NUMBER})s user +(?P<sys>{NUMBER})s system +\S+ cpu +(?P<real>{CLOCK}) total\s*$")
# 0.0u 0.0s 0:13.39 6.9% 0+0k 0+0io 0pf+0w                      (csh; tcsh has a tab behind the per cent)
CSH = re.compile(rf"(?P<user>{NUMBER})u (?P<sys>{NUMBER})s (?P<real>{CLOCK}) [0-9.]+%(?:\s.*)?")
# 	Elapsed (wall clock) time (h:mm:ss or m:ss): 0:01.00
VERBOSE = re.compile(
    r"\s*(?P<name>Command being timed|User time|System time|Elapsed)\b(?: \([a-z ]+\))?(?: time)?"
    r"(?: \(h:mm:ss or m:ss\))?: +(?P<value>\S++(?:\s++\S++)*+)\s*"
)
VERBOSE_REST = re.compile(
    r"\s*(?:Percent of CPU|Average |Maximum resident|Major |Minor |Voluntary |Involuntary |Swaps|File system |Socket "
    r"|Signals |Page size|Exit status)[^:]*: .*"
)
EXIT_STATUS = re.compile(r"\s*Exit status: (?!0+\s*$)(?P<status>[0-9]{1,3})\s*")
FAILURE = re.compile(r"Command (?:exited with non-zero status|terminated by signal) .*")
# REAL: [134] [svtdbm@sun-ha3] /export/home/svtdbm > time db2start
TEXT = r"\S++(?:\s++\S++)*+"  # to its last word
COMMAND = re.compile(rf"(?:^|[>$#%] )\s*+(?:/usr/bin/|\\)?time\s+(?:-[a-z]+\s+)*+(?P<command>(?!-){TEXT})\s*$")
JOINED_COMMAND = re.compile(r" [>$#%] (?:/usr/bin/|\\)?time\s+(?:-[a-z]+\s+)*(?P<command>[^\s-]\S*)")
SIGN = re.compile(r"[>$#%] (?=\S)")
PROMPT = re.compile(r"(?:\[(?:[^\]]*+\])++|(?=\S*[~/]|\S+@\S)\S++)?\s*+(?:\S+ )?")
MAX_PROMPT = 200
# REAL: + sleep 1.234
TRACE = re.compile(rf"\++ (?P<command>{TEXT})\s*")
SIGNATURE = (
    rf"\breal\s+{DURATION}\s*(?:$|user\s)|^\s*{DURATION} real\s+{DURATION} user\s|^\s*Executed in\s+[0-9.,]+ [a-z]"
    rf"|^{NUMBER}user {NUMBER}system |\bcpu +{CLOCK} total\s*$"
)
CSH_OR_VERBOSE = rf"^{NUMBER}u {NUMBER}s {CLOCK} [0-9.]+%(?:\s|$)|^\s*Elapsed \(wall clock\)"

# the first line of HTML, of a manual page and of an Info file
DOCUMENT = r"(?i)<!doctype|<html|<\?xml|[.']\\\"|\.(?:TH|Dd) |This is \S+\.info, produced by "

METRICS = {"real": "elapsed_s", "user": "user_s", "sys": "sys_s"}
VERBOSE_METRICS = {"Elapsed": "elapsed_s", "User time": "user_s", "System time": "sys_s"}


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Look for what `time` prints; any tool's own output, which a text may hold too, is the better claim."""
    if re.match(DOCUMENT, next((text for text in head if text.strip()), "")):
        return Refusal("a page about programs, not what one printed", 1)
    if found := recognised_by(head.str.contains(SIGNATURE), 0.7, "time of a command"):
        return found
    return recognised_by(head.str.contains(CSH_OR_VERBOSE), 0.7, "time of a command") or Refusal(
        "no time of a command", max(len(head), 1)
    )


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn times into numbers, and stamped messages of db2start and db2stop into rows of their own."""
    found = parse_measurements(lines, read)
    messages = instance_messages(lines)
    if messages.is_empty():
        return found
    verdict = pl.when(is_in(lines, messages)).then(int(Verdict.PARSED)).otherwise("verdict").cast(pl.UInt8)
    line_verdicts = found.lines.with_columns(verdict.alias("verdict"))
    reason = pl.when(pl.col("verdict") != Verdict.PARSED).then("reason")
    return Parsed(found.tables | {INSTANCE_MESSAGE.name: messages}, line_verdicts.with_columns(reason.alias("reason")))


def read(texts: list[str]) -> Iterable[LineVerdict]:
    """Classify the lines of one text; all of it that is no time is what commands printed."""
    state, progress = _State(), dd.progress_of(texts)
    return [
        ignored("progress of dd") if place in progress else _classified(text, state) for place, text in enumerate(texts)
    ]


class _State:
    """The command that the next time is of, the number of times so far, and which fields the last has."""

    def __init__(self) -> None:
        self.command: str | None = None
        self.number = 0
        self.seen: set[str] = set()
        self.failure: str | None = None
        """Why the command failed whose time comes next."""
        self.doubt: str | None = None
        self.rows: list[dict[str, object]] = []

    def parsed(self, **seconds: float | None) -> LineVerdict:
        """A line with these times; a field that the time at hand has already begins the next."""
        if self.number == 0 or self.seen & set(seconds):
            self.number, self.seen, self.rows = self.number + 1, set(), []
            self.doubt, self.failure = self.failure, None
        self.seen |= set(seconds)
        about = {
            "summary_no": self.number,
            "label": self.command,
            "is_valid": self.doubt is None,
            "doubt": self.doubt,
        }
        rows = [row(name, SECONDS, value, **about) for name, value in seconds.items() if value is not None]
        self.rows += rows
        return parsed(*rows)

    def fail(self, failure: str) -> None:
        """The command of the last time failed, which is printed below it."""
        for each in self.rows:
            each.update(is_valid=False, doubt=failure)

    def begin(self, command: str) -> None:
        """A command line: what is timed next is this."""
        self.command, self.failure = command, None


def _classified(text: str, state: _State) -> LineVerdict:
    if copied := dd.LINE.match(text):
        return parsed(*dd.copied(copied, max(state.number, 1)))
    return _posix(text, state) or _one_line(text, state) or _verbose(text, state) or _terminal(text, state)


def _posix(text: str, state: _State) -> LineVerdict | None:
    if field := FIELD.fullmatch(text):
        return state.parsed(**{METRICS[field["name"]]: _seconds(field["time"])})
    if joined := JOINED.search(text):
        line_verdict = state.parsed(**{metric: _seconds(joined[name]) for name, metric in METRICS.items()})
        for command in JOINED_COMMAND.finditer(text, joined.end()):
            state.begin(command["command"])
        return line_verdict
    return None


def _one_line(text: str, state: _State) -> LineVerdict | None:
    """GNU time, zsh, csh: all three on one line."""
    if named := NAMED_BEHIND.fullmatch(text):
        return state.parsed(**{metric: _seconds(named[name]) for name, metric in METRICS.items()})
    if part := FISH.fullmatch(text):
        seconds = float(part["value"].replace(",", ".")) * FISH_UNITS[part["unit"]]
        return state.parsed(**{FISH_METRICS[part["name"]]: seconds})
    zsh = None if text[:1].isspace() else ZSH.search(text)
    found = zsh or GNU.fullmatch(text) or CSH.fullmatch(text)
    if found is None:
        return None
    if zsh:
        state.begin(text[: zsh.start()].rstrip(" "))
    return state.parsed(**{metric: _clock(found[name]) for name, metric in METRICS.items()})


def _verbose(text: str, state: _State) -> LineVerdict | None:
    if found := VERBOSE.fullmatch(text):
        if found["name"] in VERBOSE_METRICS:
            seconds = _clock(found["value"])
            return None if seconds is None else state.parsed(**{VERBOSE_METRICS[found["name"]]: seconds})
        failure = state.failure  # stands above all else that is printed of the command
        state.begin(found["value"].strip('"'))
        state.failure = failure
        return ignored("command")
    if found := EXIT_STATUS.fullmatch(text):
        state.fail(f"the command ended with status {found['status']}")
        return ignored("the command failed: its time is marked invalid")
    if VERBOSE_REST.fullmatch(text) or GNU_REST.fullmatch(text):
        return ignored("what GNU time prints beside the times")
    return None


def _terminal(text: str, state: _State) -> LineVerdict:
    if FAILURE.fullmatch(text):
        state.failure = text
        return ignored("the command failed: its time is marked invalid")
    found = COMMAND.search(text) or TRACE.fullmatch(text)
    command = found["command"] if found else _prompted(text)
    if command is None:
        return ignored("output of a command")
    state.begin(command)
    return ignored("command")


def _prompted(text: str) -> str | None:
    """The command behind a prompt, such as `[svtdbm@sun-ha3] /export/home > load.sh`."""
    for sign in SIGN.finditer(text, 0, MAX_PROMPT):
        if PROMPT.fullmatch(text, 0, sign.start()):
            return text[sign.end() :].rstrip()
    return None


def _seconds(text: str) -> float | None:
    """Seconds of `0m13.39s`, `1h2m3,4s`, `0.50`, `0m 1.23s` of busybox."""
    found = re.fullmatch(r"(?:([0-9]+)h ?)?(?:([0-9]+)m ?)?([0-9]+(?:[.,][0-9]+)?)s?", text)
    if found is None:
        return None
    return 3600.0 * int(found[1] or 0) + 60.0 * int(found[2] or 0) + float(found[3].replace(",", "."))


def _clock(text: str) -> float | None:
    """Seconds of `1:02:03.4`, `0:13.39`, `1.237`."""
    if re.fullmatch(CLOCK, text) is None:
        return None
    seconds = 0.0
    for part in text.split(":"):
        seconds = 60 * seconds + float(part)
    return seconds


FORMAT = Format(
    name="shell_time",
    title="time of a command in a shell",
    tables=(MEASUREMENT_VALUE, INSTANCE_MESSAGE),
    recognise=recognise,
    parse=parse,
    file_names=("time*", "*.time"),
    role="measurement",
    needs=SIGNATURE + "|" + CSH_OR_VERBOSE,
    hints=(Hint(r"^real\s+[0-9]+m?[0-9.]+s?$|^[0-9]+\.[0-9]+user [0-9]+\.[0-9]+system ", "the output of time(1)"),),
)
