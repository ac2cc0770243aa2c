"""Sentences whose numbers come from views: what was read, how fault times are known, what is doubtful."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, Final

from pipeline.ask.trace.fault import FAULT_SOURCES
from reports import numbers
from reports.metrics import NAMES
from reports.study.store import Row
from reports.study.view import StudyView
from reports.typeset.text import enumerated

KEY: Final = re.compile(r"`([^`]+)`")
ORDINARY_WORD: Final = re.compile(r"[^\W0-9_]+(?=[ ,;:]|$)")  # unlike the name of a file
CONFIGURATIONS: Final = "\0"  # stands for them while sentences are compared; no text of a store holds it
DIGIT: Final = re.compile("[0-9]")
OF_OR_IN: Final = re.compile(f"\\b(?:of|[Ii]n) (?={CONFIGURATIONS})")
MOST_OF_A_KIND: Final = 3  # doubts that print shows
MOST_NAMES: Final = 4  # that a sentence gives one by one
BESIDE_ADVICE: Final = "hadr_planning"  # doubts that the recommendations name
OUTCOME_WORDS: Final = {
    "recovered": "recovered",
    "recovered_by_hand": "recovered by hand",
    "failed": "failed",
    "aborted": "aborted",
    "log_ended": "unfinished in the log",
    "not_followed": "not followed to the end",
    "planned": "planned",
    "unknown": "not known",
}
"""What became of a run, as tables and sentences name it."""


PATHS: Final = "select file_id, path from main.source_file"
RUN_LINES: Final = "select configuration, run, file_id, line_no from main.run_line order by all"


@dataclass(frozen=True, slots=True)
class DoubtLine:
    """A line that decided a doubt: `file:line`, the run that it is of, and the step or metric, empty for the run."""

    configuration: str
    run: str
    item: str
    place: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """A doubt as the report voices it; `place` is `file:line`, empty where no line shows it.

    `kind` is that of the relation finding; `runs`: configurations that it is of, each with the run if it is of one;
    `lines`: the lines that decided it, listed in a page at `anchor`.
    """

    severity: str
    kind: str
    text: str
    place: str
    runs: tuple[tuple[str, str], ...] = ()
    lines: tuple[DoubtLine, ...] = ()
    anchor: str = ""

    @property
    def lines_said(self) -> str:
        """`12 lines of 10 runs`."""
        runs = len({(each.configuration, each.run) for each in self.lines})
        return f"{counted(len(self.lines), 'line')} of {counted(runs, 'run')}"


@dataclass(frozen=True, slots=True)
class FaultSource:
    """What a fault time rests on: its name, how it shows the time, and the runs with the width of their intervals."""

    name: str
    how: str
    runs: str


def read_sentence(study: StudyView) -> str:
    """What was read: files and lines."""
    totals = study.totals
    rejected = numbers.count(totals["rejected_lines"]) if totals["rejected_lines"] else "none"
    span = f" (only those {study.time_span} count)" if study.time_span else ""
    lines = counted(totals["lines"], "line")
    return f"{counted(totals['files'], 'file')} with {lines}, {rejected} rejected{span}."


def runs_sentence(study: StudyView) -> str:
    """The runs: failovers with their kinds of fault, planned changes, measurements of others; empty without any."""
    planned = planned_runs(study)
    hit = {(row["configuration"], row["run"]) for row in study.rows("outcomes") if row["is_counted"]}
    failovers = [
        row
        for row in study.rows("runs")
        if (row["fault_at"] is not None or (row["configuration"], row["run"]) in hit)
        and (row["configuration"], row["run"]) not in planned
    ]
    configurations = len({row["configuration"] for row in failovers})
    kinds = Counter(row["fault_kind"] for row in failovers if row["fault_kind"])
    of_kinds = f" ({', '.join(f'{count} {kind}' for kind, count in kinds.most_common())})" if len(kinds) > 1 else ""
    found = f"{_failovers(len(failovers), configurations)}{of_kinds}{_share_used(failovers)}" if failovers else ""
    measured = _measured(study, {(row["configuration"], row["run"]) for row in failovers} | planned)
    joined = "; ".join(filter(None, (found, planned_changes(study), measured)))
    return f"{joined[:1].upper()}{joined[1:]}." if joined else ""


def _measured(study: StudyView, others: Collection[tuple[str, str]]) -> str:
    """Runs with a measurement, other than `others`, which the sentence counts before; empty without any."""
    measured = {(row["configuration"], row["run"]) for row in study.measurement_runs}.difference(others)
    if not measured:
        return ""
    without = 0 if others else sum(row["kind"] == "missing_result" for row in study.rows("findings"))
    runs = counted(len(measured) + without, "more run" if others else "run")
    configurations = len({configuration for configuration, _ in measured})
    of = f"{numbers.count(len(measured))} of " if without else ""
    return f"measurements of {of}{runs} in {counted(configurations, 'configuration')}"


def _share_used(failovers: Sequence[Row]) -> str:
    """How many of them are used; of a single one nothing where it is."""
    used = sum(bool(row["used"]) for row in failovers)
    if len(failovers) == 1:
        return "" if used else ", not used"
    return ", all used" if used == len(failovers) else f", {numbers.count(used) if used else 'none'} of them used"


def planned_runs(study: StudyView) -> set[tuple[str, str]]:
    """Configuration and run of each planned change."""
    return {(row["configuration"], row["run"]) for row in _planned(study)}


def _planned(study: StudyView) -> list[Row]:
    return [row for row in study.rows("outcomes") if row["outcome"] == "planned"]


MOST_WAITS = 2
"""Waits that are named one by one."""


def _range(seconds: Collection[float]) -> str:
    return f"{min(seconds):.1f} to {max(seconds):.1f}"


def planned_changes(study: StudyView) -> str:
    """`2 planned changes (clients waited 16.4 and 6.8 s)`; empty without any."""
    planned = _planned(study)
    if not planned:
        return ""
    runs = {(row["configuration"], row["run"]) for row in planned}
    waits: dict[tuple[str, str], float] = {}
    for row in study.client_outages:
        run, wait = (row["configuration"], row["run"]), row["outage_s"] or row["outage_low_s"]
        if run in runs and wait:
            waits[run] = max(wait, waits.get(run, 0.0))
    shown = (
        " and ".join(f"{each:.1f}" for each in waits.values()) if len(waits) <= MOST_WAITS else _range(waits.values())
    )
    clients = f" (clients waited {shown} s)" if waits else ""
    return f"{counted(len(planned), 'planned change')}{clients}"


def _failovers(runs: int, configurations: int) -> str:
    return counted(runs, "failover") + (f" in {configurations} configurations" if configurations > 1 else "")


def others(study: StudyView) -> str:
    """What became of the runs that did not recover by themselves: `2 failed, 1 aborted`; empty without any."""
    kinds = Counter(
        row["outcome"] for row in study.rows("outcomes") if row["is_counted"] and row["outcome"] != "recovered"
    )
    return ", ".join(f"{kinds[kind]} {words}" for kind, words in OUTCOME_WORDS.items() if kinds[kind])


def fault_sources(study: StudyView) -> list[FaultSource]:
    """Sources of the fault time, each with how many runs rest on it and how wide its intervals are."""
    groups: dict[str, list[Row]] = {}
    for row in study.failover_runs:
        groups.setdefault(row["fault_source"] or "unknown", []).append(row)
    described = []
    for source, rows in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        how = FAULT_SOURCES[source].how if source in FAULT_SOURCES else ""
        described.append(FaultSource(source, how, f"{counted(len(rows), 'run')}{_widths(rows)}"))
    return described


def _widths(rows: Sequence[Row]) -> str:
    widths = sorted(row["fault_width_s"] for row in rows if row["fault_width_s"] is not None)
    if not widths or widths[-1] <= 0:
        return ""
    low, high = numbers.fixed(widths[0], 1), numbers.fixed(widths[-1], 1)
    return f", interval {low} s wide" if low == high else f", intervals {low} to {high} s wide"


def resolutions(study: StudyView) -> str:
    """Resolution of the stamps that milestones rest on."""
    found = sorted(
        {row["resolution_s"] for row in study.rows("run_milestones") if row["resolution_s"] is not None}, reverse=True
    )
    words = [numbers.resolution(each) for each in found]
    return f"between {words[-1]} and {words[0]}" if len(words) > 3 else " or ".join(words)


def doubts(study: StudyView) -> list[Doubt]:
    """What a reader should know before relying on the numbers, in the words of the tables: no key of a file.

    What is said of several configurations in the same words is said once.
    """
    alike: dict[tuple[str, ...], list[Row]] = {}
    for row in study.rows("findings"):
        own = f"`{row['configuration']}`"
        is_joined = row["text"].count(own) == 1
        text = row["text"].replace(own, CONFIGURATIONS) if is_joined else row["text"]
        alike.setdefault((row["severity"], row["kind"], text, "" if is_joined else _place(row)), []).append(row)
    lines_of = _DoubtLines(study)
    found = []
    for number, ((severity, kind, text, _), rows) in enumerate(alike.items(), 1):
        names = list(dict.fromkeys(row["configuration"] for row in rows))
        runs = tuple(dict.fromkeys((row["configuration"], row["run"] or "") for row in rows if row["configuration"]))
        lines = tuple(
            DoubtLine(row["configuration"] or "", row["run"] or "", "", _place(row)) for row in rows if row["line_no"]
        )
        if not any(map(_place, rows)):
            lines = lines_of.decided([each for row in rows for each in row["lines"] or []]) or lines_of.of_runs(runs)
        anchor = f"doubt-{number}" if lines else ""
        sentence = in_words(study, text, names)
        found.append(Doubt(severity.capitalize(), kind, sentence, _place(rows[0]), runs, lines, anchor))
    return found


def _place(row: Row) -> str:
    """The line of a finding, or its file; empty without either."""
    return f"{row['path']}:{row['line_no']}" if row["path"] and row["line_no"] else row["path"] or ""


class _DoubtLines:
    """The lines that doubts of a study name."""

    def __init__(self, study: StudyView) -> None:
        self.study = study

    @cached_property
    def paths(self) -> dict[int, str]:
        return {row["file_id"]: row["path"] for row in self.study.store.rows(PATHS)}

    @cached_property
    def run_lines(self) -> list[Row]:
        """Of every run the line where it begins."""
        return self.study.store.rows(RUN_LINES)

    def decided(self, lines: Sequence[Mapping[str, Any]]) -> tuple[DoubtLine, ...]:
        """The lines that a finding itself lists."""
        return tuple(
            DoubtLine(each["configuration"], each["run"], each["item"] or "", f"{path}:{each['line_no']}")
            for each in lines
            if (path := self.paths.get(each["file_id"])) and each["line_no"] is not None
        )

    def of_runs(self, runs: Sequence[tuple[str, str]]) -> tuple[DoubtLine, ...]:
        """Where the runs begin that a doubt is about as a whole; run empty: all runs of the configuration."""
        wanted = set(runs)
        return self.decided(
            [
                {**row, "item": None}
                for row in (self.run_lines if wanted else ())
                if wanted & {(row["configuration"], row["run"]), (row["configuration"], "")}
            ]
        )


def alike(found: Sequence[Doubt]) -> list[list[Doubt]]:
    """The doubts with those of one kind together, where they are many: pages of one kind would bury the others."""
    groups: list[list[Doubt]] = []
    for _, group in groupby(found, key=lambda each: (each.severity, each.kind)):
        of_kind = list(group)
        groups += [of_kind] if len(of_kind) > MOST_OF_A_KIND + 1 else [[each] for each in of_kind]
    return groups


def printed_doubts(found: Sequence[Doubt]) -> list[Doubt]:
    """The first doubts of each kind and how many more there are."""
    shown: list[Doubt] = []
    beside = [each for each in found if each.kind == BESIDE_ADVICE]
    if beside:
        text = "Before acting on a recommendation for HADR, read what stands above it about its runs."
        shown.append(Doubt(beside[0].severity, BESIDE_ADVICE, text, ""))
    for group in alike([each for each in found if each.kind != BESIDE_ADVICE]):
        shown += group[:MOST_OF_A_KIND]
        if rest := len(group[MOST_OF_A_KIND:]):
            first = group[0]
            text = (
                f"{rest} more of this kind; the HTML page has all, and so has the relation `finding` (`{first.kind}`)."
            )
            shown.append(Doubt(first.severity, first.kind, text, ""))
    return shown


def in_words(study: StudyView, text: str, configurations: Sequence[str] = ()) -> str:
    """A sentence with labels in the place of keys."""
    words = {each.milestone: each.label for each in study.milestones.values()} | NAMES
    words |= {each.phase: each.label for each in study.phase_rules.values()}
    words |= {key: quoted_label(label) for key, label in study.labels.items()}
    names = [words.get(each, each) for each in configurations]
    joined = named(names, "configuration") if CONFIGURATIONS in text else ""
    if len(names) > 1 and DIGIT.search(text):  # what is counted is counted in each
        text = OF_OR_IN.sub(r"\g<0>each of ", text)
    ticked = [re.escape(f"`{key}`") for key in study.labels if "`" in key]
    found = re.compile("|".join([*ticked, KEY.pattern]))
    sentence = found.sub(lambda key: words.get(key[0][1:-1], key[0]), text).replace(CONFIGURATIONS, joined)
    return sentence[:1].upper() + sentence[1:] if ORDINARY_WORD.match(sentence) else sentence


def quoted_label(label: str) -> str:
    """A label as a part of a sentence: quoted if it has several words, so that its end is seen, or signs of names."""
    return f"\u201c{label}\u201d" if " " in label or "`" in label else label


def named(names: Sequence[str], noun: str) -> str:
    """`a, b and c`; of many, how many there are and the first."""
    if len(names) > MOST_NAMES:
        shown = ", ".join(names[: MOST_NAMES - 1])
        return f"{counted(len(names), noun)} ({shown} and {len(names) - MOST_NAMES + 1} more)"
    return enumerated(names)


def counted(value: float, noun: str, plural: str = "") -> str:
    """`1 run`, `10 runs`."""
    return f"{numbers.count(value)} {noun if value == 1 else plural or f'{noun}s'}"
