"""What a report knows of a study: settings, configurations, milestones, and the statistics of both."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.ask.check.verdict import EvaluatedClaim
from pipeline.errors import StoreError, UsageError
from pipeline.ingest.window import stored_span
from pipeline.study.data_origin import DataOrigins
from reports import numbers
from reports.metrics import name_of
from reports.study.result_rows import origins_of, with_values
from reports.study.store import Row, Store, opened
from reports.typeset.text import short_names

if TYPE_CHECKING:
    from pipeline.ask.compare.studies import EarlierStudy

STATEMENTS = {file.stem: file for file in Path(__file__).parents[1].rglob("*.sql")}
"""The statements of the report by name; each lies beside the module that reads it."""

MOST_OF_A_LABEL = 72
"""Cells of the longest label that is printed in full everywhere; the environment lists the others in full."""

NO_NAME = re.compile(r"(?i)(?:after|all|before|both|first|no|not|off|on|one|only|the|two|with|without)\b")
"""Words with which no name begins, whatever follows them in a label."""

ROOTS_OF_PLANNING = ("simhadr_record", "hadr_network", "hadr_socket_buffer")


KIND_NOT_KNOWN = "not known"

MEMBERSHIP_CHANGE = frozenset({"gab", "dead", "fenced"})
"""Milestones by which the cluster knows that a node is lost."""

SAME_MOMENT_S = 1e-6
"""A phase begins at the milestone before it, whose time was computed in the same way."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """A configuration in its place. `proposed_as`: why its reference is proposed; empty where somebody named it."""

    configuration: str
    label: str
    reference: str | None
    proposed_as: str = ""

    @property
    def is_reference(self) -> bool:
        """Whether ratios of this configuration are taken against itself."""
        return self.reference == self.configuration


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase in its place; `role` is the part of the system that works in it and chooses its colour."""

    phase: str
    label: str
    role: str
    to_milestone: str
    place: int


@dataclass(frozen=True, slots=True)
class Milestone:
    """A milestone in its place, with the headings of its column, and how a sentence names it.

    `ends_recovery`: the service is back then.
    """

    milestone: str
    label: str
    spanner: str
    phrase: str
    ends_recovery: bool


def statement(name: str) -> str:
    """The SQL of `NAME.sql` in one of the folders of `reports`."""
    return STATEMENTS[name].read_text(encoding="utf-8").strip()


@contextmanager
def opened_study(store: Path) -> Iterator["StudyView"]:
    """The study of a store, with numbers written as it asks for while it is open."""
    with opened(store) as connection:
        study = StudyView(connection)
        with numbers.written_in(study.house_style.get("language")):
            yield study


class StudyView:
    """Values of one store, read once each."""

    def __init__(self, store: Store) -> None:
        if not store.has("main.source_file"):
            raise StoreError("the store has no table source_file; build it again with `haledger ingest`")
        self.store = store
        self._read: dict[tuple[object, ...], list[Row]] = {}
        self.earlier: EarlierStudy | None = None

    def rows(self, name: str, **parameters: object) -> list[Row]:
        """Rows of one of the report's own statements."""
        return self.rows_of(statement(name), **parameters)

    def rows_of(self, sql: str, **parameters: object) -> list[Row]:
        """Rows of a statement, cached."""
        key = (sql, *sorted(parameters.items()))
        if key not in self._read:
            self._read[key] = self.store.rows(sql, **parameters)
        return self._read[key]

    @cached_property
    def setting(self) -> Row:
        """The manifest's words about the study; empty where none were given."""
        found = self.store.rows("select * from study.setting")
        return found[0] if found else {}

    @cached_property
    def manifest(self) -> bytes:
        """The study's study.toml as it was read; empty without one."""
        found = self.store.rows("select content from study.manifest")
        return bytes(found[0]["content"]) if found else b""

    @cached_property
    def house_style(self) -> Row:
        """How the study wants its report to look; empty where it does not say."""
        found = self.store.rows("select * from study.house_style")
        return found[0] if found else {}

    @cached_property
    def title(self) -> str:
        """Title of the report."""
        return self.setting.get("title") or self.setting.get("name") or "Failover tests"

    @cached_property
    def configurations(self) -> tuple[Configuration, ...]:
        """All configurations in the order of the tables."""
        rows = self.rows("configurations")
        short = short_names([row["label"] or row["configuration"] for row in rows], MOST_OF_A_LABEL)
        return tuple(
            Configuration(
                row["configuration"],
                short[row["label"] or row["configuration"]],
                row["reference"],
                (row["reason"] or "") if row["is_proposed"] else "",
            )
            for row in rows
        )

    @cached_property
    def shortened_labels(self) -> dict[str, str]:
        """Labels in full by how the report prints them, where that is shorter."""
        full = (row["label"] or row["configuration"] for row in self.rows("configurations")) if self.labels else ()
        return {short: label for short, label in zip(self.labels.values(), full, strict=True) if short != label}

    @cached_property
    def origins(self) -> DataOrigins:
        """How the data came about, as study.toml says."""
        return self.store.origins()

    @cached_property
    def built_in(self) -> dict[tuple[str, str], str]:
        """What study.toml says is built in of its own tables and figures, by kind and name."""
        return {
            (kind, row["name"]): row["built_in"]
            for kind in ("table", "figure")
            for row in self.store.rows(
                f"select name, built_in from study.publication_{kind} where built_in is not null"
            )
        }

    @cached_property
    def labels(self) -> dict[str, str]:
        """Printed names by configuration."""
        return {each.configuration: each.label for each in self.configurations}

    def label(self, configuration: str | None) -> str:
        """Printed name of a configuration."""
        return numbers.DASH if configuration is None else self.labels.get(configuration, configuration)

    def label_inside(self, configuration: str | None) -> str:
        """The same within a sentence: the capital of an ordinary word becomes small, that of a name stays."""
        label = self.label(configuration)
        has_names = any(word[:1].isupper() for word in label.split()[1:]) and not NO_NAME.match(label)
        is_name = label == configuration or has_names
        return label if is_name or not label[1:2].islower() else label[:1].lower() + label[1:]

    @cached_property
    def milestones(self) -> dict[str, Milestone]:
        """Milestones by name, in the order of the tables."""
        found: dict[str, Milestone] = {}
        for row in self.rows("milestone_order"):
            values = row | {"spanner": row["spanner"] or ""}
            found.setdefault(row["milestone"], Milestone(**values))
        return found

    @cached_property
    def milestone_stats(self) -> dict[tuple[str, str], Row]:
        """Statistics by configuration and milestone."""
        return {(row["configuration"], row["milestone"]): row for row in self.rows("milestones")}

    @cached_property
    def has_means(self) -> bool:
        """Whether a number of the report is a mean of several runs."""
        return any(row["runs"] > 1 for row in (*self.milestone_stats.values(), *self.rows("measurements")))

    @cached_property
    def proposed(self) -> Configuration | None:
        """The configuration that is proposed as the reference, since nobody named one."""
        return next((each for each in self.configurations if each.proposed_as and each.is_reference), None)

    @cached_property
    def failover_runs(self) -> list[Row]:
        """The runs in which a node was lost."""
        return [row for row in self.rows("runs") if row["fault_at"] is not None]

    def recovery_of(self, configuration: str) -> Row | None:
        """The same of one configuration; None where no fault hit it."""
        return next((row for row in self.rows("recovery") if row["configuration"] == configuration), None)

    @cached_property
    def kind_phases(self) -> list[Row]:
        """Phases averaged over runs of a kind of fault, of configurations whose runs had several kinds."""
        found = self.rows("kind_phases") if self.rows("fault_kinds") else []
        return sorted(found, key=lambda row: (self.phase(row["phase"]).place, row["mean_start_s"], row["phase"]))

    def kind_of_fault(self, configuration: str) -> str:
        """The kind of fault that the means of a configuration are of; empty where its runs had only one."""
        own = (row for row in self.rows("fault_kinds") if row["configuration"] == configuration and row["is_counted"])
        return next((kind_phrase(row["fault_kind"]) for row in own), "")

    @cached_property
    def split_times(self) -> dict[tuple[str, str], Row]:
        """Milestones whose runs divide into two modes, by configuration and milestone."""
        found = self.rows("split_times")
        return {(row["configuration"], row["milestone"]): row for row in found}

    @cached_property
    def client_outages(self) -> list[Row]:
        """How long clients went without the service, by run and probe."""
        known = "from main.client_outage select configuration, run, outage_s, outage_low_s order by all"
        return self.rows_of(known)

    @cached_property
    def headlines(self) -> dict[str, str]:
        """The step that time to recovery is counted to, by configuration."""
        return {row["configuration"]: row["milestone"] for row in self.rows("recovery_steps") if row["is_headline"]}

    @cached_property
    def evidence(self) -> dict[tuple[str, str, str], str]:
        """Where the line is that shows a run's milestone, as `, file:line`."""
        return {
            (row["configuration"], row["run"], row["milestone"]): f", {row['path']}:{row['line_no']}"
            for row in self.rows("run_milestones")
            if row["path"]
        }

    def line_at(self, configuration: str, run: str, elapsed_s: float) -> str:
        """Where the line is that shows what a run did at a moment, as `, file:line`; empty where no line shows it."""
        found = self._lines_by_run.get((configuration, run), ())
        return next((place for at_s, place in found if abs(at_s - elapsed_s) < SAME_MOMENT_S), "")

    @cached_property
    def _lines_by_run(self) -> dict[tuple[str, str], list[tuple[float, str]]]:
        found: dict[tuple[str, str], list[tuple[float, str]]] = {}
        for row in self.rows("run_milestones"):
            place = self.evidence.get((row["configuration"], row["run"], row["milestone"]))
            if place and row["elapsed_s"] is not None:
                found.setdefault((row["configuration"], row["run"]), []).append((row["elapsed_s"], place))
        for row in self.rows("step_begins"):
            place = f", {row['path']}:{row['line_no']}"
            found.setdefault((row["configuration"], row["run"]), []).append((row["elapsed_s"], place))
        return found

    def with_first_lines(self, rows: Sequence[Row], column: str) -> list[Row]:
        """Rows with the first line behind a value of each, as `path` and `line_no`; None where no line gives it."""
        paths = {row["file_id"]: row["path"] for row in self.store.rows("select file_id, path from main.source_file")}
        found: list[Row] = []
        for row, groups in zip(rows, self.store.behind([origins_of(row, column) for row in rows]), strict=True):
            lines = (line for group in groups for run in group.runs for line in run.lines if line.line_no is not None)
            first = next(lines, None)
            place = {"path": first and paths.get(first.file_id), "line_no": first and first.line_no}
            found.append(with_values(row, place))
        return found

    @cached_property
    def phase_rules(self) -> dict[str, Phase]:
        """Phases by name, in the order of the rules."""
        found: dict[str, Phase] = {}
        for row in self.store.rows("select * from study.phase_rule order by position"):
            phase = row["phase"]
            found.setdefault(
                phase,
                Phase(phase, row["label"] or phase, row["colour_role"] or "", row["to_milestone"] or "", len(found)),
            )
        return found

    def phase(self, name: str) -> Phase:
        """A phase; one that no rule knows is named by its key and comes last."""
        label = name.replace("_", " ").capitalize()
        return self.phase_rules.get(name) or Phase(name, label, "", "", len(self.phase_rules))

    def phase_label(self, row: Row) -> str:
        """How the phase of a row is printed: where no line says that it was begun, with what it is counted from."""
        label, since = self.phase(row["phase"]).label, row["assumed_since"]
        if since is None:
            return label
        known = self.milestones.get(since)
        step = "the membership change" if since in MEMBERSHIP_CHANGE else known.label if known else name_of(since)
        return f"{label}, since {step}"

    @cached_property
    def phases(self) -> list[Row]:
        """Phases averaged over runs."""
        found = self.rows("phases")
        return sorted(found, key=lambda row: (self.phase(row["phase"]).place, row["mean_start_s"], row["phase"]))

    @cached_property
    def workload_stats(self) -> list[Row]:
        """The same without those of the HADR simulator, which the part on planning shows."""
        planned = {(row["configuration"], row["metric"], row["label"]) for row in self.planning("hadr_measured")}
        return [
            row
            for row in self.rows("measurements")
            if (row["configuration"], row["metric"], row["label"]) not in planned
        ]

    @cached_property
    def measurement_runs(self) -> list[Row]:
        """Run-level measurements of every used run, with the line that states each."""
        return self.rows("measurement_runs") if self.rows("runs") else []

    def planning(self, name: str) -> list[Row]:
        """Rows of one of the statements about the HADR simulator; none where the store knows nothing of it."""
        return self.rows(name) if self._is_planned else []

    @cached_property
    def _is_planned(self) -> bool:
        """Whether a relation has rows that all planning begins with; else a dozen costly questions are idle."""
        exist = " or ".join(f"exists (from main.{each})" for each in ROOTS_OF_PLANNING)
        return bool(self.store.one(f"select {exist} as is_planned")["is_planned"])

    @cached_property
    def replaced_tables(self) -> frozenset[str]:
        """Names of the tables in whose place the paper shows one of the study's own."""
        rows = self.store.rows("select options from study.publication_table")
        return frozenset(str(replaced) for row in rows if (replaced := options_of(row).get("replaces")))

    @cached_property
    def factors(self) -> dict[str, dict[str, Row]]:
        """Factors by configuration and name."""
        found: dict[str, dict[str, Row]] = {}
        for row in self.rows("factors"):
            found.setdefault(row["configuration"], {})[row["factor"]] = row
        return found

    @cached_property
    def notes(self) -> list[Row]:
        """What a person noted, with its time; configuration and run may be missing."""
        return self.store.rows('select * from study.event order by "at", text')

    @cached_property
    def events(self) -> list[Row]:
        """What a person noted, as seconds after the fault of its run."""
        return self.rows("events") if self.rows("runs") else []

    @cached_property
    def all_claims(self) -> list[EvaluatedClaim]:
        """The study's claims, evaluated, with those that a number of a paper stands for."""
        return self.store.claims()

    @property
    def claims(self) -> list[EvaluatedClaim]:
        """The study's own claims, evaluated."""
        return [each for each in self.all_claims if each.published is None]

    @cached_property
    def totals(self) -> Row:
        """Files and lines of the whole study."""
        return self.rows("totals")[0]

    @cached_property
    def made_with(self) -> Row:
        """The program that wrote the store, and what it was asked for."""
        return self.store.one("select haledger_version, program_key, reference, since, until from main.store_info")

    @cached_property
    def time_span(self) -> str:
        """The span of --since and --until that was read, in words; empty where all was."""
        return stored_span(str(self.made_with["since"]), str(self.made_with["until"]))

    def end_milestone(self, configuration: str) -> str | None:
        """The milestone at which the service is back, as far as this configuration's logs show one."""
        end = self.headlines.get(configuration)
        return end if (configuration, end) in self.milestone_stats else None

    @cached_property
    def end_changes(self) -> list[Row]:
        """Comparisons of times to recovery that end with the same step; of a time with two modes there is none."""
        found = []
        for row in self.rows("changes"):
            sides = (row["configuration"], row["reference"])
            ends = {(side, row["milestone"]) for side in sides}
            if ends == {(side, self.end_milestone(side)) for side in sides} and ends.isdisjoint(self.split_times):
                found.append(row)
        return found

    def item_label(self, kind: str, item: str) -> str:
        """What a milestone, phase or measurement is called in tables."""
        if kind == "phase":
            return self.phase(item).label
        known = self.milestones.get(item) if kind == "milestone" else None
        return known.label if known else name_of(item)

    def milestone_phrase(self, milestone: str) -> str:
        """A milestone as a sentence names it: `crash recovery complete`."""
        return self.milestone_clause(milestone).removeprefix("the ").replace(" is ", " ", 1)

    def milestone_clause(self, milestone: str) -> str:
        """The same with its verb: `crash recovery is complete`, `the database is started`."""
        known = self.milestones.get(milestone)
        return known.phrase if known else f"{milestone} is complete"


def options_of(publication: Row) -> dict[str, object]:
    """Options of a table or figure of the manifest."""
    parsed: object = json.loads(publication["options"] or "{}")
    return parsed if isinstance(parsed, dict) else {}


def milestone_groups(study: StudyView) -> list[tuple[list[str], list[Configuration]]]:
    """Configurations that share a set of milestones, so that no table is half empty, and those milestones."""
    groups: list[tuple[set[str], list[Configuration]]] = []
    for configuration in study.configurations:
        shown = {name for name in study.milestones if (configuration.configuration, name) in study.milestone_stats}
        if not shown:
            continue
        fitting = next((group for group in groups if shown <= group[0] or group[0] <= shown), None)
        if fitting is None:
            groups.append((set(shown), [configuration]))
        else:
            fitting[0].update(shown)
            fitting[1].append(configuration)
    return [([name for name in study.milestones if name in names], members) for names, members in groups]


def chosen(study: StudyView, names: Sequence[str] | None, owner: str) -> list[Configuration]:
    """Configurations that a table or figure names, in its order; without names, all."""
    if not names:
        return list(study.configurations)
    known = {each.configuration: each for each in study.configurations}
    for name in names:
        if name not in known:
            raise UsageError(f"{owner}: no configuration {name!r} in the study; known: {', '.join(known) or 'none'}")
    return [known[name] for name in names]


def kind_phrase(fault_kind: str) -> str:
    """A kind of fault as it is printed."""
    return "kind of fault not known" if fault_kind == KIND_NOT_KNOWN else fault_kind
