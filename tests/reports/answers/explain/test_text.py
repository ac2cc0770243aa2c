"""What people read: an overview of a folder, one file in full, within the width."""

from dataclasses import replace

import pytest

from parsers.format import formats
from pipeline.ask.explain.decisions import Doubt, Explained, Explanation, FormatRefusal, Hints, Rejected
from pipeline.ask.explain.hints import Look, Nearest
from pipeline.ask.explain.trials import Trial
from pipeline.clock.file_clock import FileClock
from reports.answers.explain.file import ORDER_WORDS, YEAR_WORDS, ZONE_WORDS
from reports.answers.explain.text import lines
from tests.support.explained_files import explanation, study

WORDY = "Jul 28 10:27:04 sun-ha4 kernel: " + "GAB INFO V-15-1-20036 Port a gen 79c052 membership 01 " * 4

MESSAGES = explanation(
    "default/run01/sun-ha4/messages",
    recognised_at=3,
    recognised_text=WORDY,
    refusals={
        "db2diag": FormatRefusal("no line is a record header", 9, "the ninth"),
        "main_cf": FormatRefusal("no block", 1, "the first"),
    },
    not_tried=("llttab",),
    node="sun-ha4",
    sources={"configuration": "folder default", "run": "folder run01", "node": "folder sun-ha4"},
    written_by={"sun-ha4": 9, "sun-ha3": 1},
    named_hosts=("sun-ha3", "sun-ha5"),
    year_source="sibling",
    timezone="America/Toronto",
    timezone_source="manifest",
    first_at="2003-07-28 14:27:04",
    last_at="2003-07-28 14:28:04",
    first_local_at="2003-07-28 10:27:04",
    last_local_at="2003-07-28 10:28:04",
    doubts=(Doubt("twice", 4, 2, "of an hour that came twice"),),
    encoding="cp1252",
    remarks=("2 NUL bytes removed",),
    counts={"lines": 12, "parsed": 10, "ignored": 1, "rejected": 1},
    table_rows={"gab_event": 1, "syslog_event": 9},
    rejected=(Rejected(12, "no head", "what is this"),),
    overrides={"match": "messages", "year": 2003},
)


def text_of(explained: Explained, width: int = 100, *, is_verbose: bool = False) -> list[str]:
    return [
        "".join(span.text for span in line).rstrip() for line in lines([explained], width=width, is_verbose=is_verbose)
    ]


def test_a_file_alone_is_reported_in_full() -> None:
    assert text_of(study(MESSAGES), is_verbose=True) == [
        "default/run01/sun-ha4/messages",
        "  what           syslog (Syslog file)",
        "  because        30 of 30 lines have a head (line 3)",
        "                   3: Jul 28 10:27:04 sun-ha4 kernel: GAB INFO V-15-1-20036 Port a gen 79c052 membe…",
        "  configuration  default   folder default",
        "  run            run01     folder run01",
        "  node           sun-ha4   folder sun-ha4",
        "  written by     sun-ha4 (9 rows), sun-ha3 (1 row)",
        "  names          sun-ha5",
        "  study.toml     match = messages, year = 2003",
        "  year           2003              taken from other logs of the study that print it",
        "  zone           America/Toronto   declared in study.toml",
        "  first          2003-07-28 10:27:04  (2003-07-28 14:27:04 UTC)",
        "  last           2003-07-28 10:28:04  (2003-07-28 14:28:04 UTC)",
        "  in doubt       2 lines of an hour that came twice (from line 4 on)",
        "  text           Windows-1252 (cp1252), 100 bytes",
        "  note           2 NUL bytes removed",
        "  lines          12 = 10 parsed + 1 ignored + 1 rejected",
        "  rows           10: 1 gab_event, 9 syslog_event",
        "  rejected       1 line:",
        "                 line 12: no head",
        "                   what is this",
        "  other formats  refused at line 1",
        "                   1: the first",
        "                 main_cf: no block",
        "                 refused at line 9",
        "                   9: the ninth",
        "                 db2diag: no line is a record header",
        "                 not asked, as its name and a signature fit: llttab",
    ]


def test_why_other_formats_refused_a_file_is_shown_on_request() -> None:
    assert not any("refused" in line for line in text_of(study(MESSAGES)))


def test_next_steps_end_the_answer_and_nothing_is_praised_without_a_result() -> None:
    found = replace(study(MESSAGES), next_steps=("Declare the fault.",), has_result=False)
    assert text_of(found)[-2:] == ["Next steps", "  - Declare the fault."]


def test_an_unrecognised_file_is_reported_with_evidence_and_advice() -> None:
    notes = explanation(
        "notes.txt",
        None,
        refusals={"syslog": FormatRefusal("only 4 of 10 lines have a head", 1, "about")},
        hints=Hints(
            looks_like=(Look("text written for people", 1, "about"),),
            nearest=Nearest("syslog", 4, 10, 2),
            name_fits=("db2diag",),
            trial=Trial(("[[files]]", 'format = "syslog"'), 4, 10, {"syslog_event": 3}),
        ),
    )
    reported = text_of(study(notes))
    assert reported[:8] == [
        "notes.txt",
        "  what           unrecognised: no format recognises the first lines",
        "  looks like     text written for people",
        "                   1: about",
        "  nearest        syslog can read 4 of its first 10 lines, from line 2 on; it refused the file all",
        "                 the same: only 4 of 10 lines have a head",
        "  its name       is one of db2diag",
        "  try            in study.toml; tried, it reads 4 of its first 10 lines (3 syslog_event):",
    ]
    assert reported[8:10] == [f"{' ' * 17}{text}" for text in ("[[files]]", 'format = "syslog"')]


def test_bytes_that_may_be_text_are_reported_with_the_encoding_to_declare() -> None:
    wide = replace(explanation("x", None), status="skipped", reason="binary: many NUL bytes")
    tried = Trial(("[[files]]", 'encoding = "utf-16-le"'), 3, 3, {"syslog_event": 3})
    reported = text_of(study(replace(wide, hints=Hints(encoding="utf-16-le", trial=tried))))
    assert f'{" " * 17}encoding = "utf-16-le"' in reported
    assert not any("encoding" in line for line in text_of(study(replace(wide, hints=Hints(encoding="utf-16-le")))))


def test_a_file_without_its_study_is_given_no_configuration() -> None:
    reported = text_of(study(MESSAGES, is_alone=True))
    assert not any(line.startswith("  configuration") for line in reported)
    assert any("give the study's folder" in line for line in reported)


def many() -> list[Explanation]:
    return [explanation(f"default/run{number:02}/messages", run=f"run{number:02}") for number in range(1, 8)]


def test_a_folder_begins_with_an_overview_and_has_a_line_for_each_file() -> None:
    odd = explanation("notes.txt", None, run=None)
    reported = text_of(study(*many(), odd, incident_counts={"default": 2}))
    assert reported == [
        "study  8 files",
        "  7 parsed, 1 unrecognised",
        "  no study.toml: all of this is read from paths and contents",
        "",
        "  format  files  lines  rejected  rows",
        "  syslog      7     70         0    70",
        "",
        "  configuration  runs                nodes  files in each",
        "  default        2 found by time     -      unrecognised",
        "  default        run01 to run07 (7)  -      syslog",
        "",
        "What to look at",
        "  ! notes.txt is not recognised: no format recognises the first lines.",
        "",
        "default",
        *(f"  syslog        {each.run}  10 lines  {each.path}" for each in many()),
        "  unrecognised                   notes.txt  no format recognises the first lines",
        "",
        "7 of 8 files recognised; 1 thing to look at, listed above.",
    ]


def test_what_is_skipped_is_none_of_the_files_that_ought_to_be_recognised_and_study_toml_is_no_log() -> None:
    skipped = replace(explanation("core", None), status="skipped", reason="binary")
    manifest = replace(skipped, path="study.toml")
    shown = text_of(study(*many(), skipped, manifest, manifest="study.toml"))
    assert shown[-1] == "7 of 7 files recognised; 1 thing to look at, listed above."
    assert shown[:2] == ["study  8 files", "  7 parsed, 1 skipped (binary)"]
    assert not any("study.toml" in line for line in shown)


def test_files_are_reported_in_full_where_asked_for_or_few() -> None:
    assert sum("  what " in line for line in text_of(study(*many()), is_verbose=True)) == 7
    assert sum("  what " in line for line in text_of(study(*many()[:3]))) == 3


def test_a_folder_without_anything_says_so() -> None:
    assert text_of(study()) == ["study  0 files", "  The folder holds nothing to read."]


@pytest.mark.parametrize("width", [72, 80, 100, 120])
def test_lines_keep_within_the_width_but_for_paths_in_lists(width: int) -> None:
    reasons = {name: FormatRefusal("neither this nor that " * 6, 1, WORDY) for name in formats()}
    files = [replace(MESSAGES, refusals=reasons), *many()]
    for is_verbose in (False, True):
        reported = text_of(study(*files), width, is_verbose=is_verbose)
        assert max(len(line) for line in reported if not (line.startswith("  ") and "/messages" in line)) <= width


def test_a_path_is_never_cut() -> None:
    path = "default/" + "a" * 200
    assert any(line.endswith(path) for line in text_of(study(*many(), explanation(path)), 80))


def test_every_source_of_year_zone_and_order_has_its_words() -> None:
    """The words of `pipeline/file_clock.py`, whose docstring lists them."""
    from pipeline.clock import file_clock
    from pipeline.reading import date_order

    listed = str(file_clock.__doc__)
    assert all(name in listed for name in (*YEAR_WORDS, *ZONE_WORDS))
    assert set(YEAR_WORDS) == {"explicit", "in_line", "sibling", "filename", "archive", "mtime", "now", "weekday"}
    assert all(f"`{name}`" in str(date_order.__doc__) for name in ORDER_WORDS)
    assert {"timezone_source", "year_source", "date_order_source"} <= set(FileClock.__dataclass_fields__)
