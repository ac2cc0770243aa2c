"""Tables, figures and recommendations of the clients' view and of true fault times, from a store made by hand."""

import pytest

from reports.client_view import comparisons
from reports.figures.draw.scene import Bar
from reports.figures.draw.style import WIDE
from reports.figures.failover.fault_time import fault_time_error
from reports.figures.failover.recovery_times import CLIENTS, recovery_times_of_all
from reports.findings.highlights import further
from reports.findings.planning import Advice, Point, said_once
from reports.findings.recommendations import NO_FILE, recommendations
from reports.study.store import Store
from reports.study.view import StudyView
from reports.tables.catalogue import declared
from reports.tables.model import Table
from reports.timeline.run_timeline import run_timelines
from tests.support.drawings import covered, marks, panels, texts
from tests.support.hand_made import DEFAULT_ROW, Ledger, add_default_run

BACK_S = {"default": (70.0, 71.0, 72.0), "tuned": (40.0, 41.0, 42.0)}
"""When the question was asked that was answered first, by configuration and run; one failed a second before."""
DETECTED, RECOVERED = {"default": 49, "tuned": 32}, {"default": 61, "tuned": 36}

MANIFEST = """\
[study]
reference = "default"
[configuration.default]
factors = { timer = 16, disk = "slow" }
[configuration.tuned]
label = "Tuned timer"
factors = { timer = 4, disk = "slow" }
[[run]]
configuration = "default"
run = 1
true_fault_at = 2003-07-28T10:27:03.5Z
[[run]]
configuration = "tuned"
run = 2
true_fault_at = 2003-07-28T10:27:04.25Z
"""


@pytest.fixture(scope="module")
def study() -> StudyView:
    ledger = Ledger(MANIFEST)
    for configuration, seconds in BACK_S.items():
        for number, back_s in enumerate(seconds, 1):
            run = f"run0{number}"
            end_s = RECOVERED[configuration]
            row = DEFAULT_ROW | {"detect": DETECTED[configuration], "complete": end_s, "db2udb": end_s + 2}
            add_default_run(ledger, configuration, run, row=row)
            file_id = ledger.file(f"{configuration}/{run}/probe.csv", "client_probe", configuration, run, "client")
            for second, reason in ((-1.0, None), (1.0, "no answer"), (back_s - 1, "starting up"), (back_s, None)):
                ledger.add("client_question", file_id, second, is_answered=reason is None, elapsed_s=0.0, reason=reason)
    return StudyView(Store(ledger.build()))


def printed(tables: list[Table]) -> list[list[str]]:
    (table,) = tables
    return [[cell.text for cell in row] for row in table.rows]


def test_outage_stands_beside_the_recovery_of_the_database(study: StudyView) -> None:
    default, tuned = printed(declared("client-outage").tables(study))
    # between back - 2 (from the first to the last failed question) and back + 1 (from the last answered one before)
    assert default[:6] == ["default", "3", default[2], "70.5 ± 1.0", "68.0 to 73.0", "1.000"]
    assert tuned[:4] == ["Tuned timer", "3", tuned[2], "40.5 ± 1.0"]
    assert tuned[5] == "0.574"  # 40.5 / 70.5
    (table,) = declared("client-outage").tables(study)
    assert "complete_mean_s" in table.data_names  # which leads to the runs of that milestone
    recovery_s = study.milestone_stats["tuned", "complete"]["mean_s"]
    assert tuned[2].startswith(f"{recovery_s:.1f}")


def test_effects_tell_the_factors_that_differ(study: StudyView) -> None:
    (table,) = declared("client-effects").tables(study)
    assert [column.label for column in table.columns[:2]] == ["Configuration", "timer"]
    assert [spanner.label for spanner in table.spanners[1:]] == ["Failure detection", "Crash recovery", "Client outage"]
    assert [row[1].text for row in table.rows] == ["16", "4"]
    assert table.rows[1][-1].text.startswith("0.574 (0.5")


def test_errors_are_counted_by_reason_and_time(study: StudyView) -> None:
    rows = printed(declared("client-errors").tables(study))
    assert [row[:4] for row in rows[:2]] == [
        ["default", "no answer", "3", "1"],
        ["default", "starting up", "3", "1"],
    ]


def test_counts_have_a_decimal_only_where_one_of_them_is_no_whole_number(
    study: StudyView, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{**row} for row in study.rows("client_errors")]
    rows[0]["failed_per_run"] = 12 + 1 / 3
    others = study.rows
    monkeypatch.setattr(study, "rows", lambda name: rows if name == "client_errors" else others(name))
    shown = printed(declared("client-errors").tables(study))
    assert [row[3] for row in shown] == ["12.3", *("1.0" for _ in rows[1:])]


def test_an_effect_that_no_comparison_holds_is_no_column(study: StudyView, monkeypatch: pytest.MonkeyPatch) -> None:
    outages = {key: row for key, row in comparisons(study).items() if key[1] == "measurement"}
    monkeypatch.setattr("reports.tables.client.client.comparisons", lambda _: outages)
    (table,) = declared("client-effects").tables(study)
    assert [spanner.label for spanner in table.spanners[1:]] == ["Client outage"]
    assert table.caption.endswith(": client outage")


def test_ladder_has_a_bar_of_the_outage_below_the_steps(study: StudyView) -> None:
    figure = recovery_times_of_all(study)
    assert figure is not None
    (panel,) = panels(figure)
    outages = [bar for bar in marks(panel, Bar) if bar.look.fill == CLIENTS]
    assert [bar.x[1] - bar.x[0] for bar in outages] == pytest.approx([70, 40])  # from the first failed question on
    assert {"detection", "recovery of the database", "clients without the service"} <= set(texts(figure))


def test_a_comparison_gives_effect_and_interval_and_no_cause(study: StudyView) -> None:
    (advice,) = recommendations(study)
    about = {point.about: point.text for point in advice.points}
    assert advice.label == "Tuned timer"
    assert about["Clients"].startswith("Time without the service, against default: 4")
    assert "95 % CI" in about["Clients"]
    assert about["Clients"].endswith(" In these runs a fault cost clients 30.0 s less.")
    assert about["Phases"].startswith("Crash recovery 3.9 s instead of 11.9 s (8.0 s less, 95 % CI ")
    assert about["Phases"].endswith(" No difference shown in failure detection.")
    assert about["Cause"] == (
        "The comparison shows a difference and not its cause: no file gives what was set otherwise."
    )
    assert set(about) == {"Clients", "Phases", "Cause"}  # no load was recorded
    assert "ecommended" not in " ".join(about.values())


def test_what_no_file_gives_is_said_once_for_all_comparisons() -> None:
    def advice(label: str, cause: str) -> Advice:
        return Advice(label, (Point("Clients", label), *([Point("Cause", cause)] if cause else [])), ())

    def about(found: list[Advice]) -> list[list[str]]:
        return [[point.text for point in each.points] for each in found]

    alike = [advice("a", ""), advice("b", NO_FILE), advice("c", NO_FILE)]
    assert about(said_once(alike)) == [["a"], ["b", NO_FILE], ["c", "As above."]]
    others = [advice("a", NO_FILE), advice("b", "By the files: x.")]
    assert said_once(others) == others


def test_highlights_tell_the_outage(study: StudyView) -> None:
    reported = [each.sentence for each in further(study)]
    assert any("outage of the clients" in each and "95 % CI" in each for each in reported)


def test_inferred_fault_times_against_true_ones(study: StudyView) -> None:
    errors = {row["run"]: row["error_s"] for row in study.rows("fault_time_errors")}
    accuracy = printed(declared("fault-time-accuracy").tables(study))
    assert [row[:3] for row in accuracy] == [
        ["default", "1", accuracy[0][2]],
        ["Tuned timer", "1", "1"],
        ["All", "2", accuracy[2][2]],
    ]
    assert errors["run01"] == pytest.approx(errors["run02"] + 0.75)
    assert [row[1] for row in printed(declared("fault-time-errors").tables(study))] == ["run01", "run02"]
    figure = fault_time_error(study)
    assert figure is not None
    assert covered(figure.scene, WIDE) == []
    assert [row[1] for row in figure.rows] == ["run01", "run02"]


def test_the_questions_at_both_ends_of_an_outage_are_a_lane_beside_the_log_lines(study: StudyView) -> None:
    by_run = {(each.configuration, each.run): each for each in run_timelines(study)}
    for configuration, seconds in BACK_S.items():
        for place, second in enumerate(seconds, 1):
            timeline = by_run[configuration, f"run{place:02}"]
            first = next(each for each in timeline.measured if each.text.startswith("first answer after"))
            assert first.at_s == pytest.approx(second, abs=1.5)
            assert first.place
            assert (first.node, first.source) in timeline.measured_lanes
            assert (first.node, first.source) not in timeline.lanes
