"""Reading output of simhadr: lines into runs with all their blocks, no matter what is around or between them.

A run begins with its command line, or with error output directly above it (stdout is buffered, stderr is not). Where
the command line is missing, a line that comes too late for the run, or a number that it has given, begins the next.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from parsers.by_line import CONTINUATION, LineVerdict, ignored, rejected
from parsers.hadr_tools.distribution import HEADING, Distributions, is_distribution
from parsers.hadr_tools.sheet import ELISION, Row, Sheet, decimal, whole
from parsers.hadr_tools.simhadr_command import COMMAND, WRAPPED, asked_for
from parsers.hadr_tools.simhadr_lines import DAMAGED, LINES, Line, Stage, Subject
from parsers.hadr_tools.simhadr_outcome import Run
from parsers.hadr_tools.tables import HADR_FIGURE, SIMHADR_HANDSHAKE, SIMHADR_HOST, SIMHADR_RUN, SIMHADR_SOCKET

TRACE = ignored("trace of -verbose")
HELP = ignored("help text")
ROLE_OF_METRIC = {"log shipping time": "primary", "write time": "write", "read time": "read"}
# REAL: 2008-07-09_17:12:25_PDT
CONN_TIME = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})_([0-9]{2}:[0-9]{2}:[0-9]{2})(?:_(.*))?")
EAST_MIN = {"UTC": 0, "GMT": 0, "EST": -300, "EDT": -240, "CDT": -300, "MDT": -360, "PST": -480, "PDT": -420}
"""Minutes east of UTC of names that mean one zone only."""

TABLES = {
    Subject.HOST: SIMHADR_HOST,
    Subject.SOCKET: SIMHADR_SOCKET,
    Subject.HANDSHAKE: SIMHADR_HANDSHAKE,
}
PART_OF = {
    Subject.HOST_PART: Subject.HOST,
    Subject.SOCKET_PART: Subject.SOCKET,
    Subject.HANDSHAKE_PART: Subject.HANDSHAKE,
}
LISTS = {"alias": "aliases", "address": "addresses"}
_TRUTH: dict[str, object] = {"true": True, "false": False}
WORDS: dict[str, dict[str, object]] = {
    "is_blocking": _TRUTH,
    "has_nagle": _TRUTH,
    "is_cached": _TRUTH,
    "lingers": {"0": False, "1": True},
    "direction": {"Sending": "sent", "Received": "received"},
}


def read(texts: list[str]) -> Sheet:
    """Classify the lines of one file, and gather the rows of its runs."""
    reader = _Reader(Sheet(texts))
    plain = [text.strip() for text in texts]
    above_command = _above_command(plain)
    for index, text in enumerate(plain):
        if text:
            reader.take(index, text, is_above_command=index in above_command)
    reader.finish()
    return reader.sheet


def _above_command(plain: list[str]) -> set[int]:
    """Lines of error output, one after another, below which a command line follows."""
    found: set[int] = set()
    leads = False
    for index in range(len(plain) - 1, -1, -1):
        if COMMAND.fullmatch(plain[index]):
            leads = True
        elif leads and plain[index]:
            line, _ = _recognised(plain[index])
            leads = line is not None and line.stage is None and line.subject in (Subject.ERROR, Subject.STEP)
            found |= {index} if leads else set()
    return found


@lru_cache(maxsize=4096)
def _recognised(text: str) -> tuple[Line, re.Match[str]] | tuple[None, None]:
    for line in LINES:
        if found := line.pattern.fullmatch(text):
            return line, found
    return None, None


@dataclass(slots=True)
class _Reader:
    """Takes the lines of a file one after another.

    `spans` are the first and last lines of the runs. `block` is the block that is open, with its row. `is_buffered`:
    the file begins with errors of the run below them, so that others are above their runs too.
    """

    sheet: Sheet
    runs: list[Run] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    block: tuple[Subject, Row] | None = None
    is_help: bool = False
    is_buffered: bool = False
    command_index: int | None = None
    distributions: Distributions = field(init=False)

    def __post_init__(self) -> None:
        self.distributions = Distributions(self.sheet)

    def take(self, index: int, text: str, *, is_above_command: bool) -> None:
        """Classify a line that is not blank."""
        if command := COMMAND.fullmatch(text):
            self._command(index, command["arguments"])
        elif self.command_index == index - 1 and WRAPPED.fullmatch(self.sheet.texts[index]):
            self._wrapped(index, text)
        elif is_distribution(text):
            self._distribution(index, text)
        else:
            self._other(index, text, is_above_command=is_above_command)

    def finish(self) -> None:
        """Resolve how runs ended, and what the lines are that none of them has."""
        for run in self.runs:
            run.row |= {"status": run.status(), "sleep_warnings": run.sleep_warnings}
        inside = {index for first, last in self.spans for index in range(first, last + 1)}
        for index, text in enumerate(self.sheet.texts):
            if not self.sheet.is_classified(index):
                self.sheet.classify(index, self._unknown(text.strip(), is_inside=index in inside))

    def _unknown(self, text: str, *, is_inside: bool) -> LineVerdict:
        if not self.runs:
            return rejected("no line of simhadr")
        if ELISION.match(text):
            return ignored("left out by whoever copied the output")
        if DAMAGED.match(text):
            return rejected("begins like a line of simhadr, but goes on differently")
        return (
            rejected("inside a run, and unlike any line of simhadr") if is_inside else ignored("text around the output")
        )

    # --- runs --------------------------------------------------------------------------------------------------------

    def _run(self, index: int, *, is_next: bool = False) -> Run:
        """The run that a line belongs to: a new one if it `is_next`, or the first."""
        if is_next or not self.runs:
            row = self.sheet.add(SIMHADR_RUN, index, run_no=len(self.runs) + 1, is_verbose=False)
            self.runs.append(Run(row))
            self.spans.append((index, index))
            self.distributions.forget()
            self.block = None
        self.spans[-1] = (self.spans[-1][0], index)
        self.is_help = False
        return self.runs[-1]

    def _command(self, index: int, arguments: str) -> None:
        is_awaited = bool(self.runs) and self.runs[-1].is_only_errors
        run = self._run(index, is_next=not is_awaited)
        run.has_command, run.is_only_errors = True, False
        run.row["command"] = f"simhadr {arguments.strip()}".strip()
        run.row |= asked_for(arguments)
        self.command_index = index
        self.sheet.classify(index, CONTINUATION)

    def _wrapped(self, index: int, text: str) -> None:
        run = self._run(index)
        run.row["command"] = f"{run.row['command']} {text}"
        run.row |= asked_for(str(run.row["command"]))
        self.command_index = index
        self.sheet.classify(index, CONTINUATION)

    def _is_next(self, line: Line, found: re.Match[str]) -> bool:
        """Whether a line belongs to a run after the one whose lines are being read."""
        if not self.runs or line.stage is None:
            return False
        run = self.runs[-1]
        if run.is_only_errors:
            return False
        if line.stage < run.stage and (run.stage >= Stage.RESULT or line.stage <= Stage.CONNECTION < run.stage):
            return True
        if line.subject is Subject.FIGURES:
            return any(name in run.given for name in found.groupdict())
        if line.subject is Subject.HANDSHAKE:
            return run.has_handshake
        other_role = run.row.get("role") not in (None, line.role, "test_disk", "test_sleep")
        return line.role is not None and not run.has_command and other_role

    # --- kinds of lines ----------------------------------------------------------------------------------------------

    def _distribution(self, index: int, text: str) -> None:
        heading = HEADING.fullmatch(text)
        metric = heading["metric"] if heading else ""
        run = self._run(index, is_next=metric in self.distributions.metrics)
        run.stage, run.is_only_errors = Stage.DISTRIBUTIONS, False
        if run.row.get("role") is None:
            run.row["role"] = ROLE_OF_METRIC.get(metric)
        self.block = None
        self.distributions.read(index, text, len(self.runs))

    def _other(self, index: int, text: str, *, is_above_command: bool) -> None:
        line, found = _recognised(text)
        if line is None or found is None:
            if self.is_help:
                self.sheet.classify(index, HELP)
            return
        if line.subject is Subject.HELP:
            self._help(index, found)
            return
        if line.stage is None:
            self._aside(index, line, text, is_above_command=is_above_command)
            return
        run = self._run(index, is_next=self._is_next(line, found))
        run.stage, run.is_only_errors = max(run.stage, line.stage), False
        if run.row.get("role") is None:
            run.row["role"] = line.role
        self.distributions.close()
        self._act(index, line.subject, found, run)
        self.sheet.classify(index, CONTINUATION)

    def _help(self, index: int, found: re.Match[str]) -> None:
        self.is_help = True
        if self.runs and found["version"]:
            self.runs[-1].row["version_hint"] = found["version"]
        self.sheet.classify(index, HELP)

    def _aside(self, index: int, line: Line, text: str, *, is_above_command: bool) -> None:
        """Lines that are anywhere: stderr, and the trace of -verbose."""
        is_next = False
        if self.runs and is_above_command and not self.runs[-1].is_only_errors:
            is_next = self.is_buffered or self.runs[-1].has_result
        self.is_buffered |= not self.runs and is_above_command
        run = self._run(index, is_next=is_next)
        if line.subject is Subject.TRACE:
            run.row["is_verbose"] = True
            self.sheet.classify(index, TRACE)
            return
        if line.subject is Subject.ERROR:
            run.fail(text)
        self.sheet.classify(index, CONTINUATION)

    def _act(self, index: int, subject: Subject, found: re.Match[str], run: Run) -> None:
        """Enter what a line of a run says."""
        said = {name: value for name, value in found.groupdict().items() if value is not None}
        if subject in PART_OF:
            self._part(index, PART_OF[subject], said)
            return
        self.block = None
        if subject in TABLES:
            self._open(index, subject, said)
            run.has_handshake |= subject is Subject.HANDSHAKE
        elif subject is Subject.FIGURES:
            self._figures(index, said, run)
        elif subject is Subject.SLEEP:
            self._sleep(index, said, run)
        elif subject is Subject.SETTING:
            run.row |= {name: _value(name, text) for name, text in said.items() if run.row.get(name) is None}
        elif found.string == "End of file reached":
            run.has_reached_end_of_file = True

    def _figures(self, index: int, said: dict[str, str], run: Run) -> None:
        mode = said.pop("mode", None)
        for name, text in said.items():
            value = decimal(text)
            run.given[name] = value
            self.sheet.add(HADR_FIGURE, index, run_no=len(self.runs), name=name, label=mode, value=value)

    def _sleep(self, index: int, said: dict[str, str], run: Run) -> None:
        """Sleeps are what -testSleep measures; elsewhere only warnings count."""
        if not said:
            run.sleep_warnings += 1
        elif run.row.get("role") == "test_sleep":
            for name, text in said.items():
                run.given[name] = decimal(text)
                self.sheet.add(HADR_FIGURE, index, run_no=len(self.runs), name=name, value=run.given[name])

    # --- blocks ------------------------------------------------------------------------------------------------------

    def _open(self, index: int, subject: Subject, said: dict[str, str]) -> Row:
        values = {name: _value(name, text) for name, text in said.items()}
        row = self.sheet.add(TABLES[subject], index, run_no=len(self.runs), **values)
        self.block = (subject, row)
        return row

    def _part(self, index: int, subject: Subject, said: dict[str, str]) -> None:
        """Complete the open block; what it has already, or another block's, begins one without a heading."""
        row = self.block[1] if self.block and self.block[0] is subject else None
        if row is None or any(name in row for name in said):
            row = self._open(index, subject, {})
        for name, text in said.items():
            if name in LISTS:
                found = row.setdefault(LISTS[name], [])
                if isinstance(found, list):
                    found.append(text)
            else:
                row[name] = _value(name, text)
                row |= _conn_stamp(text) if name == "conn_time" else {}


def _value(name: str, text: str) -> object:
    """What a word means, by the name of its column."""
    if name in WORDS:
        return WORDS[name].get(text, text)
    if name.endswith(("_bytes", "_pages")) or name == "linger_s":
        return whole(text)
    return decimal(text) if name == "asked_s" else text


def _conn_stamp(text: str) -> Row:
    """The stamp of a connTime; empty where it is no time."""
    parts = CONN_TIME.fullmatch(text)
    if parts is None:
        return {}
    try:
        stamp = datetime.fromisoformat(f"{parts[1]} {parts[2]}")
    except ValueError:
        return {}
    return {"stamp": stamp, "has_year": True, "utc_offset_min": EAST_MIN.get(parts[3] or "")}
