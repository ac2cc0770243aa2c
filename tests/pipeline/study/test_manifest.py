"""study.toml: everything contract 2 shows is read, everything else is refused with a message that helps."""

import os
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import UsageError
from pipeline.study.manifest import NO_OVERRIDE, Manifest, load, parse
from pipeline.study.manifest_entries import FileOverride, Milestone

CONTRACT = """
[study]
title = "Failover"
authors = ["A", "B"]
date = 2003-08-01
reference = "default"
timezone = "America/Toronto"
year = 2003
margin_pct = 5

[configuration."tuned"]
label = "Tuned parameter"
reference = "default"
factors = { tuned = true, protocol = "NFS", cpus = 4 }

[configuration."default"]

[node."sun-ha4"]
timezone = "Europe/Berlin"
clock_offset_s = -1.5

[resource_type]
"datashark*" = "Mount"

[[run]]
configuration = "tuned"
run = 3
fault_at = 2003-07-28T10:27:04.2-04:00
true_fault_at = 2003-07-28T10:27:04.2
exclude = "operator rebooted the wrong node"
fault = "power off"

[[files]]
match = "iostat*.txt"
interval_s = 5
start = 2003-07-28T10:00:00
date_order = "mdy"

[[milestone]]
name = "warm"
text = "cache warm"

[[table]]
name = "table_3_7"
kind = "milestones"
configurations = ["default", "tuned"]
number = "3.7"

[[figure]]
name = "mine"
sql = "select 1"
caption = "One"

[[figure]]
name = "phases"
kind = "timeline"
phases = ["crash_recovery"]

[[claim]]
text = "Fast"
milestone = "complete"
configuration = "tuned"
op = "<="
value = 40

[[event]]
at = 2003-07-28T10:31:00
text = "power cut"

[[section]]
title = "Setting"
body = 'It took {{ mean("complete", "tuned") }} s.'
"""


def toml(text: str) -> Manifest:
    return parse(text.encode())


def test_contract_is_read() -> None:
    tables = {name: table.rows() for name, table in toml(CONTRACT).tables().items()}
    fault = datetime.fromisoformat("2003-07-28T14:27:04.200000")
    no_groups: list[str] = []
    margin_and_more = (5.0, None, None, no_groups, None, None, None, None)
    assert tables["setting"] == [
        (
            "",
            "Failover",
            None,
            None,
            "2003-08-01",
            None,
            ["A", "B"],
            "default",
            "America/Toronto",
            2003,
            *margin_and_more,
        )
    ]
    assert tables["configuration"] == [
        (1, "tuned", "Tuned parameter", "default", '{"cpus": 4, "protocol": "NFS", "tuned": true}', None, None, None),
        (2, "default", None, None, "{}", None, None, None),
    ]
    assert tables["run"] == [("tuned", "3", fault, fault, "operator rebooted the wrong node", "power off")]
    assert tables["node"] == [("sun-ha4", "Europe/Berlin", -1.5)]
    assert tables["resource_type"] == [(1, "datashark*", "Mount")]
    assert tables["event"] == [(datetime.fromisoformat("2003-07-28T14:31:00"), None, None, "power cut")]
    unstated = (None,) * 9
    assert tables["claim"] == [(1, "Fast", None, "complete", None, None, "mean", "tuned", None, "<=", 40.0, *unstated)]
    options = '{"number": "3.7"}'
    assert tables["publication_table"] == [
        (1, "table_3_7", "milestones", None, None, None, ["default", "tuned"], options, None)
    ]
    assert tables["publication_figure"] == [
        (1, "mine", None, "One", "select 1", [], "{}", None),
        (2, "phases", "timeline", None, None, [], '{"phases": ["crash_recovery"]}', None),
    ]
    assert tables["section"] == [(1, "Setting", None, 'It took {{ mean("complete", "tuned") }} s.')]
    assert toml(CONTRACT).milestones == (Milestone(name="warm", text="cache warm"),)
    assert toml(CONTRACT).doubts == ()


def test_without_a_file_everything_is_empty_and_of_the_same_shape(tmp_path: Path) -> None:
    empty, full = load(tmp_path).tables(), toml(CONTRACT).tables()
    assert {name: table.schema for name, table in empty.items()} == {name: table.schema for name, table in full.items()}
    assert empty["setting"].get_column("name").to_list() == [tmp_path.name]
    assert all(table.is_empty() for name, table in empty.items() if name != "setting")


def test_file_is_found_in_the_study(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_bytes(b"\xef\xbb\xbf[study]\r\ntitle = 'T'\r\n")
    assert load(tmp_path).study.title == "T"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param('[study]\ntitel = "x"', ["study.toml:2", "'titel'", "[study]", "'title'"], id="key of a section"),
        pytest.param("[studdy]", ["study.toml:1", "'studdy'", "top level", "'study'"], id="section"),
        pytest.param("[[runs]]", ["'runs'", "'run'"], id="list of tables"),
        pytest.param("[[run]]\nrun = 1\n[[run]]\nfault_a = 1", [":4", "[[run]] number 2", "'fault_at'"], id="ordinal"),
        pytest.param(
            "[[run]]\nrun = 1\nfault_at = 0001-01-01T00:00:00+14:00",
            [":3", "'fault_at'", "from 1970 on"],
            id="a date that no zone can move",
        ),
        pytest.param('[node."a.b"]\nxyz = "x"', ['[node."a.b"]', "'xyz'", "known keys: timezone"], id="no near key"),
        pytest.param("[study]\nyear = '2003'", ["'year'", "expected a year", "the text '2003'"], id="text for a year"),
        pytest.param("[study]\nyear = true", ["'year'", "the truth value true"], id="truth is no number"),
        pytest.param("[study]\nyear = 3", ["'year'", "1970"], id="year out of range"),
        pytest.param("[study]\nmargin_pct = 0", ["above 0"], id="zero margin"),
        pytest.param("[study]\nmargin_pct = inf", ["finite"], id="infinite margin"),
        pytest.param("[study]\nauthors = 'me'", ["'authors'", "list of texts"], id="text for a list"),
        pytest.param("[study]\nauthors = [1]", ["'authors'", "list of texts"], id="numbers for texts"),
        pytest.param("study = 1", ["'study'", "expected a table, [study]"], id="number for a table"),
        pytest.param("run = 1", ["'run'", "headed [[run]]"], id="number for tables"),
        pytest.param("run = [1]", ["'run'", "headed [[run]]"], id="numbers for tables"),
        pytest.param("[run]\nrun = 1", ["'run'", "[[run]]", "a table"], id="single brackets"),
        pytest.param("[[run]]\nfault_at = 2003-07-28", ["'fault_at'", "date and time", "2003-07-28"], id="day"),
        pytest.param("[[run]]\nfault_at = '2003-07-28T10:00:00'", ["'fault_at'", "the text"], id="instant in quotes"),
        pytest.param('[study]\ntimezone = "America/Torotno"', ["no time zone", "'America/Toronto'"], id="zone"),
        pytest.param('[study]\ntimezone = "EST/EDT summer"', ["no time zone", "expected a name"], id="no zone at all"),
        pytest.param('[study]\ntimezone = ""', ["no time zone"], id="empty zone"),
        pytest.param("[study]\ntitle = ", ["study.toml:2: not valid TOML"], id="syntax"),
        pytest.param("[study]\n[study]", ["study.toml:2: not valid TOML"], id="twice"),
        pytest.param("[[files]]\nformat = 'x'", ["[[files]] number 1", "'match'"], id="override without a glob"),
        pytest.param("[[files]]\nmatch = 'a'\ndate_order = 'dym'", ["ymd, mdy, dmy", "nearest"], id="date order"),
        pytest.param("[[files]]\nmatch = 'a'\ninterval_s = -1", ["above 0"], id="negative interval"),
        pytest.param("[[table]]\nname = 'a'", ["'sql'", "'kind'"], id="table without a statement"),
        pytest.param("[[claim]]\ntext = 'a'", ["exactly one of", "none"], id="claim about nothing"),
        pytest.param(
            "[[claim]]\nsql = 'a'\nphase = 'b'", ["exactly one of", "sql and phase"], id="claim about two things"
        ),
        pytest.param("[[claim]]\nphase = 'b'", ["'op' and 'value'"], id="claim without a number"),
        pytest.param("[[claim]]\nphase = 'b'\nop = '=<'\nvalue = 1", ["'=<'", "<="], id="operator"),
        pytest.param("[[event]]\ntext = 'a'", ["'at'"], id="event without a time"),
        pytest.param("[configuration.a]\nfactors = { b = [1] }", ["'b'", "true or false"], id="factor"),
        pytest.param("[[milestone]]\ntext = 'x'", ["[[milestone]] number 1", "'name'"], id="milestone without a name"),
        pytest.param("[[milestone]]\nname = 'X y'\ntext = 'x'", [":2", "expected small letters"], id="no name"),
        pytest.param("[[milestone]]\nname = 'x'", ["'message_id' or 'text'"], id="milestone without evidence"),
        pytest.param("[[milestone]]\nname = 'x'\ntext = '('", [":3", "not a regular expression"], id="pattern"),
        pytest.param(
            "[[milestone]]\nname = 'x'\ntext = 'x{1001}'",
            [":3", "not a regular expression"],
            id="pattern that the store alone refuses",
        ),
        pytest.param(
            "[[milestone]]\nname = 'x'\ntext = '[[:foo:]]'",
            [":3", "not a regular expression"],
            id="class that the store alone refuses",
        ),
        pytest.param(
            "[[milestone]]\nname = 'x'\ntext = '(x{1000}){1000}'",
            [":3", "not a regular expression"],
            id="counted repeats",
        ),
        pytest.param("[[milestone]]\nname = 'x'\ntext = '(?=a)b'", [":3", "regular"], id="look-around"),
        pytest.param("[[milestone]]\nname = 'x'\ntext = 'x'\nphrase = 'cache warm'", ["the THING is DONE"], id="verb"),
        pytest.param("[[milestone]]\nname = 'x'\ntext = 'x'\npick = 'best'", ["first, last"], id="pick"),
        pytest.param("[[milestone]]\nname = 'x'\ntext = 'x'\nsource = 'tape'", ["vcs, syslog"], id="source"),
        pytest.param("[[milestone]]\nname = 'x'\ntext = 'x'\nafer = 'gab'", ["'afer'", "'after'"], id="near key"),
        pytest.param("[[milestone]]\nname = 'x'\nends_recovery = 'yes'", [":3", "true or false"], id="no truth value"),
        pytest.param("[[claim]]\nphase = 'b'\nclients = 9e9", ["'clients'", "whole number"], id="count"),
        pytest.param("[[run]]\nexclude = ' '", [":2", "expected a reason"], id="exclusion without a reason"),
        pytest.param(
            "[[milestone]]\nname = 'x'\nmessage_ids = ['A']", [":3", "nearest known is 'message_id'"], id="plural"
        ),
        pytest.param("[[milestone]]\nname = 'x'\ntext = 'x'\nafter = 'gba'", [":4", "'after'", "'gab'"], id="after"),
        pytest.param("[[files]]\nmatch = 'a'\nformat = 'pgbnech'", [":3", "'pgbench'"], id="format"),
        pytest.param("[[table]]\nname = 'a'\nkind = 'histogram'", [":3", "expected one of milestones"], id="no kind"),
        pytest.param(
            "[[figure]]\nkind = 'histogram'", [":1", "needs a key 'name'", ":2", "timeline"], id="both mistakes"
        ),
        pytest.param(
            "[[table]]\nname = 'a'\nsql = 'select 1'\noptions = { decimal = 2 }", [":4", "'decimals'"], id="option"
        ),
        pytest.param("[[table]]\nname = 'a'\nkind = 'milestones'\nphases = ['b']", [":4", "timeline"], id="phases"),
        pytest.param(
            "[[figure]]\nname = 'f'\nkind = 'sweep'\noptions = { metric = 'tps', along = 'x' }",
            [":4", "unknown key 'along' in 'options' of [[figure]] number 1", "metric, of, clients, unit, factor"],
            id="option that a kind does not have",
        ),
        pytest.param(
            "[[figure]]\nname = 'f'\nkind = 'series'\n[figure.options]\nmetric = 'tps'\nruns = 'run01'",
            [":6", "'runs' in 'options'", "a list of texts"],
            id="options under a heading",
        ),
        pytest.param("[[figure]]\nname = 'f'\nkind = 'disks'", ["an option 'device'"], id="needed option"),
        pytest.param("[[figure]]\nname = 'f'\nkind = 'against'", ["a key 'sql'"], id="needed statement"),
        pytest.param(
            "[[figure]]\nname = 'f'\nsql = 'a'\n[[figure]]\nname = 'f'\nsql = 'b'", [":5", "another figure"], id="name"
        ),
        pytest.param("[[section]]\nbody = '{{ maen(1, 2) }}'", [":2", "no function 'maen'", "'mean'"], id="function"),
        pytest.param("[[section]]\nbody = '{{ mean( }}'", [":2", "line 1 of the text", "cannot be read"], id="braces"),
        pytest.param("[[section]]\nbody = 'x'\nplace = 'result'", [":3", "'results'"], id="place of prose"),
        pytest.param(
            "[[claim]]\nphase = 'redo'\nstatistic = 'median'\nop = '<'\nvalue = 1", [":3", "a phase has"], id="median"
        ),
        pytest.param("[resource_type]\na = 1", ["'a'", "[resource_type]"], id="resource type"),
        pytest.param('[study]\norigin = "simulate"', [":2", "'simulated'", "recorded, simulated"], id="unknown origin"),
        pytest.param('[study]\norigin_note = "x"', ["[study]", "'origin'"], id="note without origin"),
        pytest.param(
            '[configuration.a]\norigin_note = "x"', ["[configuration.a]", "'origin'"], id="note of one without origin"
        ),
        pytest.param(
            '[[claim]]\nsql = "x"\nbuilt_in = 3', [":3", "'built_in'", "true, false"], id="number for built_in"
        ),
        pytest.param(
            '[[claim]]\nsql = "x"\nbuilt_in = " "', [":3", "'built_in'", "empty"], id="built in, but not what"
        ),
    ],
)
def test_mistake_is_named(text: str, words: list[str]) -> None:
    with pytest.raises(UsageError) as caught:
        toml(text)
    assert [word for word in ["study.toml", *words] if word not in str(caught.value)] == []


def test_all_mistakes_are_named_at_once() -> None:
    with pytest.raises(UsageError) as caught:
        toml("[study]\ntitel = 'x'\nyear = 3\n[[run]]\nexclude = 1.5\n[[event]]\n[[event]]\ntext = 1")
    assert str(caught.value).splitlines() == [
        "study.toml:2: unknown key 'titel' in [study]; the nearest known is 'title'",
        "study.toml:3: 'year' in [study]: expected a year from 1970 on, found 3",
        "study.toml:5: 'exclude' in [[run]] number 1: expected text in quotes, such as \"…\", found the number 1.5",
        "study.toml:6: [[event]] number 1 needs a key 'at'",
        "study.toml:6: [[event]] number 1 needs a key 'text'",
        "study.toml:7: [[event]] number 2 needs a key 'at'",
        "study.toml:8: 'text' in [[event]] number 2: expected text in quotes, such as \"…\", found the number 1",
    ]


@pytest.mark.parametrize("zone", ["Mars/Base", "Summer", "XYZ"])
def test_a_zone_that_is_like_none_gets_no_suggestion(zone: str) -> None:
    with pytest.raises(UsageError) as caught:
        toml(f"[study]\ntimezone = '{zone}'")
    assert "mean" not in str(caught.value)


def test_a_mistake_behind_another_one_of_the_same_table_is_named_too() -> None:
    with pytest.raises(UsageError) as caught:
        toml("[[milestone]]\nname = 'x'\ntext = 'x'\npick = 'best'\nafter = 'gba'\n[[run]]\nrunn = 1\nexclude = ''")
    assert [each.split(": ")[0] for each in str(caught.value).splitlines()] == [
        f"study.toml:{line}" for line in (4, 5, 7, 8)
    ]


def test_what_lacks_only_because_of_another_mistake_is_not_named() -> None:
    with pytest.raises(UsageError) as caught:
        toml("[[files]]\nmatch = 1\nyear = 3\n[[claim]]\nphase = 'redo'\nop = '=<'\nvalue = 'a'")
    assert [each.split(": ")[0] for each in str(caught.value).splitlines()] == [
        f"study.toml:{line}" for line in (2, 3, 6, 7)
    ]


def test_line_is_that_of_the_table_where_the_mistake_is() -> None:
    with pytest.raises(UsageError) as caught:
        toml(
            '''
            [study]
            abstract = """
            [[run]]
            exclude = 1 "quoted"""
            authors = [ "a # [",
              "]b" ]
            [[run]]
            exclude = "a"  # fine
            [[run]]
            "exclude" = 2
            [configuration."a b"]
            factors = { x = [1] }
            [configuration]
            c.label = 3'''
        )
    assert [each.split(":")[1] for each in str(caught.value).splitlines()] == ["11", "13", "15"]


@pytest.mark.parametrize("name", ["klingon", "utf8-bom", "zip", "hex", "rot13", "idna", "undefined", "punycode", ""])
def test_what_is_no_encoding_of_text_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=r"study\.toml:3: 'encoding' .* no encoding of text"):
        toml(f"[[files]]\nmatch = 'a'\nencoding = '{name}'")


@pytest.mark.parametrize("name", ["latin-1", "UTF-16", "utf_32", "cp037", "shift_jis", "utf-8-sig"])
def test_encodings_of_text_are_taken(name: str) -> None:
    assert toml(f"[[files]]\nmatch = 'a'\nencoding = '{name}'").files[0].encoding == name


@pytest.mark.parametrize("offset", ["1e12", "-1e300", "inf", "nan"])
def test_clock_that_is_wrong_by_centuries_is_a_mistake(offset: str) -> None:
    with pytest.raises(UsageError, match=r"study\.toml:2: 'clock_offset_s' in \[node.x\]"):
        toml(f"[node.x]\nclock_offset_s = {offset}")


def test_pipe_in_the_place_of_the_file_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "study.toml")
    with pytest.raises(UsageError, match="not an ordinary file"):
        load(tmp_path)


def test_link_is_followed_inside_the_study_only(tmp_path: Path) -> None:
    study, outside = tmp_path / "study", tmp_path / "outside.toml"
    study.mkdir()
    outside.write_text("[study]\ntitle = 'x'", encoding="utf-8")
    (study / "study.toml").symlink_to(outside)
    with pytest.raises(UsageError, match="leads out of the study"):
        load(study)
    outside.rename(study / "own.toml")
    (study / "study.toml").unlink()
    (study / "study.toml").symlink_to("own.toml")
    assert load(study).study.title == "x"


def test_file_that_no_person_wrote_is_refused_before_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_bytes(b"# " + b"x" * 1_000_000)
    with pytest.raises(UsageError, match="larger than 1,000,000 bytes"):
        load(tmp_path)


@pytest.mark.parametrize("match", ["../x", "a/../../x", "/etc/passwd", "~/x", "C:\\x", "..\\x", "\\\\host\\x"])
def test_glob_out_of_the_study_is_refused(match: str) -> None:
    with pytest.raises(UsageError, match="leaves the study"):
        toml(f"[[files]]\nmatch = '{match}'")


def test_file_that_is_no_utf8_is_named_with_its_line() -> None:
    with pytest.raises(UsageError, match=r"study\.toml:2: not UTF-8"):
        parse(b'[study]\ntitle = "\xff"')


def test_folder_in_the_place_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "study.toml").mkdir()
    with pytest.raises(UsageError, match="cannot be read"):
        load(tmp_path)


@pytest.mark.parametrize("part", ["a", '"a b"', "'a'"])
@pytest.mark.parametrize("form", ["{} = 1", "[{}]\nb = 1", "x = {{{} = 1}}"])
def test_a_key_without_end_is_refused_before_it_is_parsed(form: str, part: str) -> None:
    """The time that tomllib needs grows with the square of the parts: hours for a file of 1 MB."""
    key = ".".join([part] * 200_000)
    with pytest.raises(UsageError, match=r"study\.toml:2: not usable TOML: a key of 100 parts or more"):
        parse(("\n" + form.format(key)).encode())


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "1_0" * 3000], ids=["digits", "with underscores"])
def test_a_number_without_end_is_refused_with_its_line(number: str) -> None:
    """Python makes no number of more than 4,300 digits."""
    with pytest.raises(UsageError, match=r"study\.toml:2: not usable TOML: a number of thousands of digits"):
        toml(f"[study]\nyear = {number}")


def test_deep_nesting_is_no_crash() -> None:
    with pytest.raises(UsageError):
        parse(b"a = " + b"[" * 100_000)


def test_time_without_a_zone_is_utc_and_a_doubt() -> None:
    found = toml("[[run]]\nfault_at = 2003-07-28T10:00:00")
    assert found.runs[0].fault_at == datetime.fromisoformat("2003-07-28T10:00:00")
    assert "[[run]] number 1" in found.doubts[0]


@given(st.text(max_size=60) | st.from_regex(r"\[(study|node\.a|\[run\])\]?\n[a-z_]{1,12} = [0-9\"'a-z\[\]{}:T-]{0,20}"))
def test_no_text_raises_but_a_usage_error(text: str) -> None:
    try:
        found = parse(text.encode(errors="replace"))
    except UsageError:
        return
    assert set(found.tables()) == set(Manifest().tables())


def test_first_matching_override_counts() -> None:
    found = toml("[[files]]\nmatch = 'a*'\nrun = 3\n[[files]]\nmatch = '*'\nnode = 'x'\nrun = 'run04'")
    assert found.file_override("z/ab") == FileOverride(match="a*", run="3")
    assert found.file_override("b").run == "run04"
    assert Manifest().file_override("b") == NO_OVERRIDE


@pytest.mark.parametrize(
    ("node", "zone"),
    [
        pytest.param("sun-ha4", "Europe/Berlin", id="its own"),
        pytest.param("SUN-HA4.example.com", "Europe/Berlin", id="fully qualified, in capitals"),
        pytest.param("sun-ha5", "America/Toronto", id="the study's"),
        pytest.param(None, "America/Toronto", id="no node"),
    ],
)
def test_zone_of_a_node(node: str | None, zone: str) -> None:
    assert toml(CONTRACT).zone_of(node) == zone


ORIGINS = """
[study]
origin = "calibrated"
origin_note = '''
after a
  paper'''

[configuration."a"]
origin = "simulated"

[configuration."b"]
origin_note = "one number was chosen"

[[claim]]
sql = "select true"
built_in = true

[[claim]]
sql = "select true"
built_in = "the order is the paper's"

[[table]]
name = "x"
sql = "select 1"
built_in = false
"""


def test_origin_is_read() -> None:
    read = toml(ORIGINS)
    assert (read.study.origin, read.study.origin_note) == ("calibrated", "after a paper")
    assert [(each.origin, each.origin_note) for each in read.configurations.values()] == [
        ("simulated", None),
        (None, "one number was chosen"),
    ]
    assert [each.built_in for each in read.claims] == ["yes", "the order is the paper's"]
    assert [each.built_in for each in read.publication_tables] == ["no"]
