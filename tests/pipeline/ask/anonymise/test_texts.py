"""How names are found in texts: their forms, what is doubtful, study.toml."""

import json
import re
import time
from base64 import b64encode
from urllib.parse import quote

import pytest

from parsers.format import formats
from pipeline.ask.anonymise.anonymise import _strange_words
from pipeline.ask.anonymise.names import Name, names_at
from pipeline.ask.anonymise.places import Kind, places
from pipeline.ask.anonymise.pseudonyms import Pseudonyms
from pipeline.ask.anonymise.study_text import prose_of, with_own_values, without_comments, without_people
from pipeline.ask.anonymise.trie import any_of, lowered, substituted

SECRETS = ("Emu \"77'x", "Emu &77", "Emu77Wild", "it!sEmu")


@pytest.mark.parametrize(
    "text",
    [
        SECRETS[0],
        json.dumps(SECRETS[0]),
        quote(SECRETS[1]),
        "-pEmu77Wild",
        b64encode(b"a:Emu77Wild").decode(),
        "x=" + b64encode(b"ab:Emu77Wild:c").decode().rstrip("="),
        b"Emu77Wild".hex().upper(),
        "456d 7537 3757 696c 64",
        "dump-Emu77Wild.sql",
        r"it\!sEmu",
        "pangolin%2Dx7",
        r"pangolin\u002dx7",
        b64encode(b"user@pangolin-x7:1").decode(),
    ],
)
def test_a_text_is_found_in_every_form(text: str) -> None:
    replaced = Pseudonyms([Name(Kind.HOST, "pangolin-x7")], SECRETS).replaced(text)
    left = replaced.casefold()
    assert replaced != text
    assert not [each for each in ("emu", "pangolin", "456d", "rw11") if each in left]


def test_a_plain_word_is_found_as_a_whole_word_alone() -> None:
    assert Pseudonyms([], ["tiger"]).replaced("tiger tigers") == "masked tigers"


def test_words_in_base64_that_hold_no_name_stay() -> None:
    text = "Ab12Cd34Ef56Gh78 deadbeefcafe 0000 1f2e 3d4c NetworkManager"
    assert Pseudonyms([Name(Kind.HOST, "pangolin-x7")], SECRETS).replaced(text) == text


def test_study_toml_names_no_people() -> None:
    text = '[study]\ntitle = "T"\nauthors = [\n  "A ] B",\n  "C",\n]\norganisation = """\nX\n"""\nyear = 2003\n'
    assert without_people(text) == '[study]\ntitle = "T"\nyear = 2003\n'


def test_comments_of_study_toml_are_dropped_and_strings_are_none() -> None:
    text = '# by Binturong\ntitle = "a # Binturong"\nyear = 1 # Fossa\n'
    assert without_people(text) == '\ntitle = "a # Binturong"\nyear = 1\n'


def test_formats_and_zones_are_no_names() -> None:
    text = '[[files]]\nmatch = "db2/*"\nformat = "db2_cfg"\ntimezone = "UTC"\n'
    assert with_own_values(text, lambda part: part.replace("db2", "x")) == text.replace("db2/", "x/")


def test_prose_has_no_places_of_numbers() -> None:
    text = '[study]\ntitle = "One {{ mean("x") }}"\n[[section]]\nbody = """\nTwo\n"""\nsql = "select 3"\n'
    assert [each.split() for each in prose_of(text)] == [['"One', '"'], ['"""', "Two", '"""']]


def test_comments_that_name_somebody_are_dropped_and_lines_stay() -> None:
    text = "# call Fossa Civetta\nkey = 1  # Binturong\n/* of\nFossa */\nurl = http://x//y\n# number of nodes\n"
    expected = "#\nkey = 1  #\n/*\n*/\nurl = http://x//y\n# number of nodes\n"
    assert without_comments(text, formats()["sysctl"]) == expected


def test_comments_of_main_cf_need_no_blank() -> None:
    text = "//Fossa\ncluster c (\n//  group g\n"
    assert without_comments(text, formats()["main_cf"]) == "//\ncluster c (\n//  group g\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("db2_cfg", "# Fossa = 3\n", id="a value behind a prompt"),
        pytest.param("cib", "<cib>\n<!-- Fossa -- -->\n</cib>\n", id="no comment, and all behind it is no XML"),
    ],
)
def test_what_only_looks_like_a_comment_is_the_same_line(name: str, text: str) -> None:
    assert without_comments(text, formats()[name]) == text


# REAL: lines of db2diag.log, of `get db cfg` and of Solaris' messages, between them what a person may have written
LINES: tuple[tuple[str, list[str]], ...] = (
    ("FUNCTION: DB2 UDB, High Availability Disaster Recovery, hdrSetHdrState, probe:10000", []),
    ("CALLED  : DB2 UDB, base sys utilities, sqleIssueStartStop, probe:5", []),
    ("PID:1052(db2agent (ABSOLUT))   TID:1   Appid:0A00230C.CCCD.19CAEF37BB91", []),
    ("PID:13737(db2agent (ORDERS))   TID:1   Appid:0A00230C.BEEF.F1D9F352E82A", []),
    ("gab: [ID 316943 kern.notice] GAB:20036: Port v gen fafabc membership 01", []),
    (" Data Links Write Token Init Expiry Intvl(DL_WT_IEXPINT) = 60", []),
    (" Data Links Token Expiry Interval (sec)      (DL_EXPINT) = 60", []),
    (" Max size of appl. group mem set (4KB) (APPGROUP_MEM_SZ) = 8192", []),
    (" Package cache size (4KB)                   (PCKCACHESZ) = (MAXAPPLS*8)", []),
    ("MESSAGE : the zorillafrob is away, address 0xFFFFEA12", ["zorillafrob"]),
    (" First log archive method                 (LOGARCHMETH1) = DISK:/arch/zorillaplace/", ["zorillaplace"]),
    ("Port h gen zorilla membership 01, 5 bead ", ["zorilla", "bead"]),
)


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_what_somebody_chose_is_doubted_and_no_word_of_a_product(line: str, expected: list[str]) -> None:
    assert [each for each in _strange_words(line) if len(each) > 3 and each != "ABSOLUT"] == expected


@pytest.mark.parametrize("line", ["ssh root@zorilla", "scp -q root@zorilla:/tmp/x .", "rsync -a x ops@zorilla:/y"])
def test_whom_a_remote_command_names_is_a_host(line: str) -> None:
    found = {name.text for place in places(line) for name in names_at(place, line[place.start : place.end])}
    assert "zorilla" in found


def test_the_longest_whole_word_is_found() -> None:
    pattern = any_of(["db1", "db1-hb", "d.b"])
    assert substituted(pattern, "DB1-hb xdb1 db12 d.b dxb db1_", lambda each: f"<{each}>") == (
        "<DB1-hb> xdb1 db12 <d.b> dxb <db1>_"
    )


def test_no_text_gives_no_pattern() -> None:
    assert any_of([]) is None
    assert substituted(None, "text", str.upper) == "text"


def test_lower_case_keeps_the_length() -> None:
    assert len(lowered("İx")) == 2


def test_time_does_not_grow_with_the_number_of_texts() -> None:
    text = "Mar  2 10:00:00 alder kernel: link is up and nothing else happens here\n" * 2000

    def seconds(count: int) -> float:
        pattern = any_of(f"host{number}x" for number in range(count))
        assert pattern is not None
        begin = time.process_time()
        assert not re.search(pattern, text)
        return time.process_time() - begin

    assert seconds(20_000) < 20 * max(seconds(20), 0.001)
