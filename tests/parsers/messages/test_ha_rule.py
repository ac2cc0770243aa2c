"""What a rule file may say, and how its faults are named."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from parsers.messages.ha_rule import (
    KINDS,
    RULES_FOLDER,
    STACKS,
    RuleError,
    ascii_only,
    classes,
    load,
    needles,
    rules,
)
from tests.support.ha_lines import cut

HEAD = """\
stack = "heartbeat"
words = ["heartbeat"]
"""
RULE = """\
[[rule]]
id = "heartbeat.dead"
versions = "1 to 3"
text = 'node (?P<peer>\\S+): is dead'
kind = "peer_dead"
source = "FMT"
example = "heartbeat: node a: is dead"
"""


def written(folder: Path, *contents: str) -> Sequence[Path]:
    paths = [folder / f"{number}.toml" for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_text(content, encoding="utf-8")
    return paths


def test_rule_takes_from_the_head_what_it_does_not_say(tmp_path: Path) -> None:
    head = HEAD + "process = '^heartbeat$'\nprefix = '^'\nfields = { action = 'x', object_class = 'fencing' }\n"
    (rule,) = load(written(tmp_path, head + RULE + "fields = { action = 'y' }\n"))
    assert (rule.stack, rule.words, rule.process) == ("heartbeat", ("heartbeat",), "^heartbeat$")
    assert rule.text == r"^node (?P<peer>\S+): is dead"
    assert rule.groups == ("peer",)
    assert rule.fields == {"action": "y", "object_class": "fencing"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param("stack = ", "0.toml: ", id="no TOML"),
        pytest.param(HEAD + "colour = 'red'\n" + RULE, "0.toml: unknown key colour", id="unknown key of the head"),
        pytest.param(HEAD.replace("heartbeat", "hartbeat", 1) + RULE, "0.toml: stack must be one of", id="stack"),
        pytest.param(
            HEAD + RULE + "colour = 'red'\n", "0.toml: rule heartbeat.dead: unknown key colour", id="unknown key"
        ),
        pytest.param(HEAD + RULE.replace("versions", "file"), "versions missing", id="missing key"),
        pytest.param(HEAD + RULE.replace('"peer_dead"', "3"), "kind must be of type str", id="type"),
        pytest.param(HEAD + RULE.replace("peer_dead", "peer_ded"), "unknown kind peer_ded", id="kind"),
        pytest.param(HEAD + RULE.replace("heartbeat.dead", "Dead"), "an id is words", id="id"),
        pytest.param(HEAD + RULE.replace("<peer>", "<node>"), "unknown group node", id="group"),
        pytest.param(HEAD + RULE.replace("FMT", "REAL"), "source is REAL with the file", id="REAL without file"),
        pytest.param(HEAD + RULE + "file = 'x.log'\n", "or FMT without", id="FMT with file"),
        pytest.param(HEAD + RULE + "words = []\n", "words must be", id="no words"),
        pytest.param(HEAD + RULE + "words = ['a']\n", "words must be", id="short word"),
        pytest.param(HEAD + RULE + "fields = { node = 'a' }\n", "fields: no column node", id="column"),
        pytest.param(HEAD + RULE + "expect = { value = '3' }\n", "expect: no column value", id="type of a column"),
        pytest.param(HEAD + RULE + RULE, "two rules are named heartbeat.dead", id="twice"),
    ],
)
def test_fault_is_named_with_its_place(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(RuleError) as caught:
        load(written(tmp_path, content))
    assert str(caught.value).startswith("0.toml: ")
    assert message in str(caught.value)


def test_no_blank_stands_for_what_is_no_space() -> None:
    assert ascii_only(r"\d+ \w\S") == "[0-9]+ [0-9A-Za-z_][^ ]"


def test_patterns_compile_also_as_they_are_run() -> None:
    for pattern in {each for rule in rules() for each in (rule.process or "", rule.text, rule.pattern)}:
        assert pl.Series([""]).str.contains(pattern).len() == 1, pattern


def test_ids_are_unique_across_files(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match=r"1\.toml: two rules are named"):
        load(written(tmp_path, HEAD + RULE, HEAD + RULE))


def test_every_stack_and_every_kind_has_a_rule() -> None:
    assert {rule.stack for rule in rules()} == set(STACKS)
    assert {rule.kind for rule in rules()} == set(KINDS)


def test_id_of_a_rule_begins_with_the_name_of_its_file() -> None:
    for path in RULES_FOLDER.glob("*.toml"):
        if path.name != "agents.toml":
            begins = {rule.id.split(".")[0] for rule in load([path])}
            assert begins in ({path.stem}, {path.stem.removeprefix("resource_")})


def test_needles_are_few() -> None:
    # 740 MB/s with 96 words, 510 MB/s with 200, 470 MB/s with 250 to 300
    assert len(needles()) <= 400


def test_no_needle_holds_another() -> None:
    assert [(one, other) for one in needles() for other in needles() if one != other and one in other] == []


def test_tag_or_text_of_an_example_holds_a_word_and_a_needle() -> None:
    for rule in rules():
        record = cut(rule.example)
        said = (record.get("tag") or "") + "\0" + (record["text"] or "")
        assert any(word in said for word in rule.words), rule.id
        assert any(needle in said and needle in rule.example for needle in needles()), rule.id


def test_resource_classes_are_those_of_the_table() -> None:
    assert set(classes()) == {"address", "replication", "mount", "database", "fencing"}
