"""What people write for people is not handed on."""

import pytest

from parsers.format import formats
from pipeline.ask.anonymise.study_text import prose_of, with_own_values, without_comments, without_people


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
