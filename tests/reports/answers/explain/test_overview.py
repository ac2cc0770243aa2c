"""A study at a glance: runs alike are one row, and what is odd is something to look at."""

from dataclasses import replace

from pipeline.ask.explain.decisions import Explanation, Hints, Rejected
from pipeline.ask.explain.hints import Look
from reports.answers.explain.overview import overview
from tests.support.explained_files import explanation, study


def runs(count: int) -> list[Explanation]:
    """This many runs with a syslog and an engine log each."""
    return [
        explanation(f"default/run{number:02}/{name}", name, run=f"run{number:02}", node="sun-ha4")
        for number in range(1, count + 1)
        for name in ("syslog", "vcs_engine")
    ]


def texts(*files: Explanation) -> list[str]:
    return [each.text for each in overview(study(*files)).attention]


def test_runs_that_hold_the_same_are_one_group() -> None:
    (group,) = overview(study(*runs(4))).groups
    assert group.runs == ("run01", "run02", "run03", "run04")
    assert group.kinds == (("syslog", 1), ("vcs_engine", 1))
    assert group.nodes == ("sun-ha4",)


def test_a_run_with_fewer_files_stands_apart_and_is_to_be_looked_at() -> None:
    files = [each for each in runs(5) if each.path != "default/run03/syslog"]
    seen = overview(study(*files))
    assert [each.runs for each in seen.groups] == [("run01", "run02"), ("run03",), ("run04", "run05")]
    (item,) = seen.attention
    assert item.text == "run03 of default has fewer files than most of its runs: 0 of syslog, not 1."
    assert item.paths == ("default/run03/vcs_engine",)


def test_of_two_runs_none_is_the_odd_one_out() -> None:
    assert texts(*runs(2)[:-1]) == []


def test_files_above_the_runs_are_distinguished_from_files_that_time_splits() -> None:
    above = explanation("default/main.cf", "main_cf", run=None, sources={"scope": "default"})
    split = explanation("other/messages", run=None, configuration="other", sources={})
    groups = {each.configuration: each for each in overview(study(above, split)).groups}
    assert groups["default"].is_above_runs
    assert not groups["other"].is_above_runs
    assert groups["other"].runs == ()


def test_formats_add_up() -> None:
    bad = explanation("m", counts={"rejected": 3, "parsed": 7})
    (counted,) = overview(study(bad, explanation("n"))).formats
    assert (counted.files, counted.lines, counted.rejected, counted.rows) == (2, 20, 3, 20)


def test_a_sound_study_needs_no_attention() -> None:
    assert texts(*runs(3)) == []


def test_unrecognised_files_that_look_alike_are_reported_together() -> None:
    hints = Hints(looks_like=(Look("an iostat report", 1, "avg-cpu:"),))
    files = [explanation(f"io{number}", None, hints=hints) for number in range(5)]
    assert texts(*files) == ["io0, io1, io2 and 2 more files are not recognised: look like an iostat report."]


def test_an_unrecognised_file_of_which_nothing_is_known_is_reported() -> None:
    assert texts(explanation("x", None)) == ["x is not recognised: no format recognises the first lines."]


def test_what_cannot_be_read_is_grave_and_what_is_passed_over_by_rule_is_not_reported() -> None:
    locked = replace(explanation("locked", None), status="unreadable", reason="permission denied")
    dull = replace(explanation("study.toml", None), status="skipped", reason="the study's manifest")
    binary = replace(explanation("a.bin", None), status="skipped", reason="binary: a PDF")
    seen = overview(study(locked, dull, binary)).attention
    assert [(each.is_grave, each.text) for each in seen] == [
        (True, "locked cannot be read: permission denied."),
        (False, "a.bin was skipped: binary: a PDF."),
    ]


def test_rejected_lines_are_reported_worst_first_and_summed_up() -> None:
    files = [
        explanation(f"m{number}", counts={"lines": 100, "rejected": number}, rejected=(Rejected(7, "no head", "x"),))
        for number in range(6)
    ]
    assert texts(*files) == [
        "m5: 5 of 100 lines rejected; the first, line 7: no head.",
        "m4: 4 of 100 lines rejected; the first, line 7: no head.",
        "m3: 3 of 100 lines rejected; the first, line 7: no head.",
        "2 more files have 3 rejected lines together.",
    ]


def test_findings_and_remarks_on_study_toml_are_reported() -> None:
    whole = study(explanation("m"), findings=(("m", "`m` is odd."),), manifest_remarks=("study.toml: nothing",))
    assert [(each.text, each.paths) for each in overview(whole).attention] == [
        ("m is odd.", ("m",)),
        ("study.toml: nothing.", ("study.toml",)),
    ]
