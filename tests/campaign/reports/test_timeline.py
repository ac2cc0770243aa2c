"""One run as text, as a trace and as a page: every line of it, at its time, in its lane, and nothing that runs."""

import json
import re
import zlib
from base64 import b64decode
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from pipeline.errors import UsageError
from reports.answers.timeline.page import page
from reports.study.view import opened_study
from reports.timeline.perfetto import perfetto
from reports.timeline.run_timeline import RunTimeline, run_timeline, run_timelines
from reports.typeset.text import visible
from tests.support import trace_format
from tests.support.command import haledger
from tests.support.failover_logs import Failover, Store, ingested, write, write_run, write_timers

HOSTILE = "</script><img src=x onerror=alert(1)> \x1b[31m\u202e {{ 7*7 }}"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Two crashes, the second with hostile text; and a run in which nothing fails."""
    folder = tmp_path_factory.mktemp("timeline") / "study"
    write_timers(folder / "tuned")
    write_run(folder / "tuned" / "run01")
    crash = Failover()
    write_run(folder / "tuned" / "run02", crash)
    with (folder / "tuned" / "run02" / crash.survivor / "messages").open("a") as log:
        log.write(f"{crash.syslog_line(250, f'sshd[1]: {HOSTILE}')}\n")
    write(folder / "idle" / "run01" / "db1" / "messages", [crash.syslog_line(at, "sshd[41]: hello") for at in (1, 2)])
    return ingested(folder)


@pytest.fixture(scope="module")
def crash(study: Store) -> RunTimeline:
    return run_timeline(study.db, "tuned", "run01")


def test_it_has_every_line_of_the_run_in_the_order_of_time(study: Store, crash: RunTimeline) -> None:
    (count,) = study.one("select count(*) from event where configuration = 'tuned' and run = 'run01'")
    assert len(crash.lines) == count
    assert [line.at_s for line in crash.lines] == sorted(line.at_s for line in crash.lines)
    assert {lane[0] for lane in crash.lanes} == {crash.lost_node, crash.surviving_node}
    assert crash.lanes[0][0] == crash.lost_node


def test_steps_are_the_milestones_and_lead_to_their_lines(study: Store, crash: RunTimeline) -> None:
    found = study.milestones("tuned")
    assert sorted(step.at_s for step in crash.steps) == sorted(found.values())
    places = {line.place for line in crash.lines}
    assert {step.place for step in crash.steps} <= places
    for step in crash.steps:
        assert step.low_s <= step.at_s <= step.high_s


@pytest.mark.parametrize("name", ["1", "run1", "run001", "Run 1"])
def test_a_run_is_found_by_its_number_too(study: Store, crash: RunTimeline, name: str) -> None:
    assert run_timeline(study.db, "tuned", name) == crash


@pytest.mark.parametrize(
    ("named", "reason"),
    [
        (("tune", "run01"), "tune: no such configuration with runs; did you mean tuned?"),
        (("x", "run01"), "x: no such configuration with runs; there are: idle, tuned"),
        (("tuned", "run9"), "run9: no such run of tuned; did you mean run"),
        (("tuned", "9"), "9: no such run of tuned; there are: run01, run02"),
    ],
)
def test_what_is_not_there_is_reported_with_the_choices(study: Store, named: tuple[str, str], reason: str) -> None:
    with pytest.raises(UsageError) as error:
        run_timeline(study.db, *named)
    assert str(error.value).startswith(reason)


def test_a_run_without_a_fault_is_counted_from_its_first_line(study: Store) -> None:
    found = run_timeline(study.db, "idle", "run01")
    assert (found.fault_s, found.phases, found.steps) == (None, (), ())
    assert [line.at_s for line in found.lines] == [0.0, 1.0]
    assert list(found.remarks) == [
        "No fault was found in this run: times are counted from its first line.",
        "Set aside: no node loss found.",  # its flag says no more
    ]


def test_the_trace_has_an_instant_for_each_line_and_a_span_for_each_phase(crash: RunTimeline) -> None:
    trace = json.loads(perfetto(crash))
    assert trace_format.faults(trace) == []
    events: list[dict[str, Any]] = trace["traceEvents"]
    instants = [each for each in events if each["ph"] == "i"]
    spans = [each for each in events if each["ph"] == "X"]
    assert [each["args"]["line"] for each in instants] == [line.place for line in crash.lines]
    assert len(spans) == len(crash.phases) + 1  # the fault
    assert all(each["ts"] >= 0 for each in (*instants, *spans))
    assert all(each["dur"] >= 0 for each in spans)
    zero = instants[0]["ts"] / 1e6 - crash.lines[0].at_s
    assert [each["ts"] / 1e6 - zero for each in instants] == pytest.approx([line.at_s for line in crash.lines])
    named = {(each["pid"], each["tid"]) for each in events if each["name"] == "thread_name"}
    assert {(each["pid"], each["tid"]) for each in (*instants, *spans)} <= named


def test_the_page_holds_the_run_and_nothing_that_runs(study: Store) -> None:
    found = run_timeline(study.db, "tuned", "run02")
    assert any("onerror" in line.text for line in found.lines)
    html = page(found)
    assert "<img" not in html
    assert "\x1b" not in html
    assert html.count("<script") == 2  # the data, which no browser runs, and our own
    assert "onerror" not in html
    (packed_runs,) = re.findall(r'<script type="text/plain" id="lanes-data">([A-Za-z0-9+/=]*)</script>', html)
    data = json.loads(zlib.decompress(b64decode(packed_runs)))
    (run,), texts = data["runs"], data["texts"]
    assert [each / 1e6 for each in accumulate(run["at"])] == [line.at_s for line in found.lines]
    assert [tuple(run["lanes"][each]) for each in run["lane"]] == [(line.node, line.source) for line in found.lines]
    assert [texts[each] for each in run["text"]] == [visible(line.text) for line in found.lines]
    places = zip(run["file"], accumulate(run["line"]), strict=True)
    assert [f"{texts[file]}:{number}" for file, number in places] == [line.place for line in found.lines]


def test_a_study_keeps_the_lines_after_its_faults_where_not_all_fit(study: Store) -> None:
    with opened_study(study.db) as view:
        whole, part = run_timelines(view), run_timelines(view, most=30)
    assert [(each.configuration, each.run) for each in whole] == [
        ("idle", "run01"),
        ("tuned", "run01"),
        ("tuned", "run02"),
    ]
    assert whole[1] == run_timeline(study.db, "tuned", "run01")
    assert [(each.configuration, each.run) for each in part] == [("tuned", "run01"), ("tuned", "run02")]
    for each, all_of_it in zip(part, whole[1:], strict=True):
        left_out = len(all_of_it.lines) - len(each.lines)
        assert len(each.lines) == 10
        assert each.remarks[0].startswith(f"{left_out} lines far from the fault are left out")
        assert set(each.lines) < set(all_of_it.lines)
        assert any(line.at_s > 0 for line in each.lines)


@pytest.mark.parametrize("form", ["text", "html", "perfetto"])
def test_the_command_prints_and_writes_the_same(study: Store, tmp_path: Path, form: str) -> None:
    asked = ("timeline", "tuned", "run02", "--db", study.db, "--format", form)
    printed = haledger(*asked, cwd=tmp_path)
    assert (printed.returncode, printed.stderr) == (0, "")
    assert haledger(*asked, "-o", "out", cwd=tmp_path).returncode == 0
    assert (tmp_path / "out").read_text(encoding="utf-8") == printed.stdout
    assert "\x1b" not in printed.stdout
    refused = haledger(*asked, "-o", "no/such/folder", cwd=tmp_path)
    assert refused.returncode == 2
    assert "no/such/folder: cannot be written" in refused.stderr
