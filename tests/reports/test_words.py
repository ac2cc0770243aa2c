"""Sentences of the report."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from reports.study.view import StudyView
from reports.words import MOST_OF_A_KIND, Doubt, alike, in_words, printed_doubts, runs_sentence

RUN: dict[str, Any] = {"fault_at": "2003-07-28", "fault_kind": "node lost", "used": True, "configuration": "on"}


def of(**rows: list[dict[str, Any]]) -> Callable[[str], list[dict[str, Any]]]:
    """The rows of some statements; the others have none."""
    return lambda name: rows.get(name, [])


def _doubts(kind: str, number: int) -> list[Doubt]:
    return [Doubt("Warning", kind, f"{kind} {each}", f"{kind}.log:{each}") for each in range(number)]


def test_print_shows_the_first_doubts_of_a_kind_and_counts_the_rest() -> None:
    shown = printed_doubts([*_doubts("outlier", MOST_OF_A_KIND + 5), *_doubts("drift", MOST_OF_A_KIND + 1)])
    assert [each.kind for each in shown] == ["outlier"] * (MOST_OF_A_KIND + 1) + ["drift"] * (MOST_OF_A_KIND + 1)
    reported = shown[MOST_OF_A_KIND]
    assert reported.text.startswith("5 more of this kind")
    assert reported.place == ""


def test_many_doubts_of_a_kind_are_one_group_and_a_few_are_not() -> None:
    many, few = _doubts("outlier", MOST_OF_A_KIND + 2), _doubts("drift", MOST_OF_A_KIND + 1)
    assert alike([*many, *few]) == [many, *([each] for each in few)]


def test_a_single_rest_is_shown_rather_than_counted() -> None:
    found = _doubts("outlier", MOST_OF_A_KIND + 1)
    assert printed_doubts(found) == found


@pytest.mark.parametrize(
    ("used", "said"),
    [
        ([True], "1 failover."),
        ([False], "1 failover, not used."),
        ([True, True, True], "3 failovers in 2 configurations, all used."),
        ([True, False, True], "3 failovers in 2 configurations, 2 of them used."),
        ([False, False], "2 failovers in 2 configurations, none of them used."),
    ],
)
def test_runs_are_counted_in_words_for_one_and_several(used: list[bool], said: str) -> None:
    runs = [RUN | {"configuration": str(place % 2), "run": str(place), "used": each} for place, each in enumerate(used)]
    study: Any = SimpleNamespace(rows=of(runs=runs), client_outages=[], measurement_runs=[])
    assert runs_sentence(study) == said


@pytest.mark.parametrize(("without", "said"), [(0, "Measurements of 2 runs"), (1, "Measurements of 2 of 3 runs")])
def test_runs_without_a_result_are_counted_beside_those_with_one(without: int, said: str) -> None:
    runs = [{"configuration": "on", "run": name} for name in ("1", "2", "2")]
    study: Any = SimpleNamespace(rows=of(findings=[{"kind": "missing_result"}] * without), measurement_runs=runs)
    assert runs_sentence(study) == f"{said} in 1 configuration."


def test_kinds_of_fault_are_counted_where_there_are_several() -> None:
    kinds = ["kill", "power off", "power off"]
    runs = [RUN | {"run": str(place), "fault_kind": kind} for place, kind in enumerate(kinds)]
    study: Any = SimpleNamespace(rows=of(runs=runs), client_outages=[], measurement_runs=[])
    assert runs_sentence(study) == "3 failovers (2 power off, 1 kill), all used."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lines of one file are missing.", "Lines of one file are missing."),
        ("nodes.txt was not read.", "nodes.txt was not read."),
        ("gen_a/run1 was not read.", "gen_a/run1 was not read."),
    ],
)
def test_a_sentence_begins_with_a_capital_unless_it_begins_with_a_name(text: str, said: str) -> None:
    study = SimpleNamespace(milestones={}, phase_rules={}, labels={})
    assert in_words(cast("StudyView", study), text) == said


@pytest.mark.parametrize(
    ("label", "inside"),
    [
        ("Default parameters", "default parameters"),
        ("Redis Sentinel", "Redis Sentinel"),
        ("DB2 untuned", "DB2 untuned"),
        ("Without DRBD", "without DRBD"),
        ("Galera", "Galera"),  # the folder's own name
    ],
)
def test_a_label_inside_a_sentence_keeps_the_capital_of_a_name(label: str, inside: str) -> None:
    study = SimpleNamespace(label=lambda key: label if key == "short" else key)
    key = "Galera" if label == "Galera" else "short"
    assert StudyView.label_inside(cast("StudyView", study), key) == inside


def test_planned_changes_are_no_failovers_and_say_how_long_clients_waited() -> None:
    runs = [RUN | {"configuration": "on", "run": name} for name in ("1", "2", "3")]
    planned = [{"configuration": "on", "run": name, "outcome": "planned", "is_counted": False} for name in ("2", "3")]
    waits = [
        {"configuration": "on", "run": name, "outage_s": s, "outage_low_s": 1} for name, s in (("1", 9), ("3", 6.8))
    ]
    measured = [{"configuration": "off", "run": "1"}, {"configuration": "on", "run": "2"}]
    study: Any = SimpleNamespace(rows=of(runs=runs, outcomes=planned), client_outages=waits, measurement_runs=measured)
    said = "1 failover; 2 planned changes (clients waited 6.8 s); measurements of 1 more run in 1 configuration."
    assert runs_sentence(study) == said
