from pathlib import Path

import polars as pl
import pytest

from parsers.format import Parsed, Recognition, Verdict
from parsers.vcs.main_cf import parse, recognise
from tests.support.message_lines import numbered

CORPUS = Path(__file__).parents[3].parent / "shared" / "corpus" / "vcs"
needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not part of the repository")

PARSED, CONTINUATION, IGNORED, BLANK, REJECTED = Verdict


def read(text: str) -> Parsed:
    return parse(numbered(text.splitlines()))


def verdicts(text: str) -> list[int]:
    return read(text).lines["verdict"].to_list()


def table(parsed: Parsed, name: str, *columns: str) -> list[tuple[object, ...]]:
    return parsed.tables[name].select(columns).rows() if name in parsed.tables else []


def attributes(text: str) -> list[tuple[object, ...]]:
    return table(read(text), "cluster_attribute", "entity", "attribute", "system", "value")


def corpus_text(name: str) -> str:
    return (CORPUS / name).read_text(encoding="latin-1")


@needs_corpus
@pytest.mark.parametrize("paper_file", ["diskgroup", "cvm_cfs"])
def test_scan_damage_costs_only_the_damaged_statements(paper_file: str) -> None:
    damaged = read(corpus_text(f"main.cf_seed000_{paper_file}_asprinted.cf"))
    whole = read(corpus_text(f"reconstructed/main.cf_seed000_{paper_file}_repaired.cf"))
    assert damaged.lines.height == len(corpus_text(f"main.cf_seed000_{paper_file}_asprinted.cf").splitlines())
    resources = set(table(damaged, "cluster_resource", "resource", "resource_type"))
    assert len(resources) >= 5
    assert resources <= set(table(whole, "cluster_resource", "resource", "resource_type"))


@pytest.mark.parametrize(
    "text",
    ["", "no config", "group: x", "type Reader interface {", 'resource "x" "y" {\n}', "import (\n  Foo = 1\n)"],
)
def test_other_files_are_refused(text: str) -> None:
    assert not isinstance(recognise(pl.Series(text.split("\n"))), Recognition)


def test_fragment_of_resources_is_recognised_and_has_no_group() -> None:
    text = 'Mount m1 (\n\tMountPoint = "/db"\n\t)\n'
    assert isinstance(recognise(pl.Series(text.splitlines())), Recognition)
    assert table(read(text), "cluster_resource", "resource", "resource_type", "group") == [("m1", "Mount", None)]


def test_systems_carry_their_cluster() -> None:
    text = "cluster c (\n)\nsystem sun-ha3 (\n)\nsystem b.example.com ( )"
    assert table(read(text), "cluster_system", "system", "cluster") == [("sun-ha3", "c"), ("b.example.com", "c")]


@pytest.mark.parametrize(
    ("attribute", "is_parallel"), [("", False), ("Parallel = 0", False), ("Parallel = 1", True), ("Parallel = 2", True)]
)
def test_group_says_whether_it_is_parallel(attribute: str, *, is_parallel: bool) -> None:
    assert table(read(f"group g (\n{attribute}\n)"), "cluster_group", "group", "is_parallel") == [("g", is_parallel)]


def test_resources_belong_to_the_last_group() -> None:
    text = "group a (\n)\nIP x (\n)\ngroup b (\n)\nIP y (\n)\nsystem s (\n)\nIP z (\n)"
    assert table(read(text), "cluster_resource", "resource", "group") == [("x", "a"), ("y", "b"), ("z", None)]


def test_resource_and_its_attribute_may_share_a_name() -> None:
    assert attributes("DiskGroup db2shark (\n\tDiskGroup = db2shark\n\t)") == [
        ("db2shark", "DiskGroup", None, "db2shark")
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("SystemList = { sysA =0, sysB=1}", "{ sysA = 0, sysB = 1 }", id="without blanks"),
        pytest.param("SystemList = {\n  sysA = 0,\n  sysB = 1\n  }", "{ sysA = 0, sysB = 1 }", id="over lines"),
        pytest.param("SystemList =\n  { a, b, }", "{ a, b, }", id="on the next line, last comma"),
        pytest.param("SystemList = { a = { x, y }, b = { z } }", "{ a = { x, y }, b = { z } }", id="nested"),
        pytest.param("SystemList = { }", "{ }", id="empty list"),
        pytest.param('SystemList = ""', "", id="empty text"),
        pytest.param('SystemList = "a // b, c = )"', "a // b, c = )", id="signs in a text"),
        pytest.param(r'SystemList = "a \" b"', r"a \" b", id="quote in a text"),
        pytest.param('SystemList = { "a b" = 1 }', '{ "a b" = 1 }', id="texts in a map keep their quotes"),
        pytest.param("SystemList = /dev/vx/dsk:0%x*", "/dev/vx/dsk:0%x*", id="bare word of signs"),
        pytest.param("SystemList = dba@example.com", "dba@example.com", id="address"),
        pytest.param("SystemList = 1 // one", "1", id="comment behind"),
        pytest.param("SystemList = /* one */ 1", "1", id="comment inside"),
        pytest.param("SystemList = { a, /* one\n two */ b }", "{ a, b }", id="comment over lines inside a list"),
        pytest.param("SystemList[] = { a }", "{ a }", id="brackets"),
    ],
)
def test_value_is_kept_as_printed_on_one_line(text: str, value: str) -> None:
    assert attributes(f"group g (\n{text}\n)") == [("g", "SystemList", None, value)]
    assert REJECTED not in verdicts(f"group g (\n{text}\n)")


def test_localised_attribute_has_a_row_per_system() -> None:
    text = "CFSfsckd f (\nMode @sun-ha3 = { dg = sw }\nMode@b = ro\nMode = off\n)"
    assert attributes(text) == [
        ("f", "Mode", "sun-ha3", "{ dg = sw }"),
        ("f", "Mode", "b", "ro"),
        ("f", "Mode", None, "off"),
    ]


def test_several_statements_of_a_line_are_its_parts() -> None:
    parsed = read("group g ( A = 1 B = 2 ) IP x ( )")
    assert table(parsed, "cluster_attribute", "line_no", "part", "attribute") == [(1, 1, "A"), (1, 2, "B")]
    assert table(parsed, "cluster_resource", "line_no", "part", "resource") == [(1, 1, "x")]
    assert parsed.lines["verdict"].to_list() == [PARSED]


def test_dependencies() -> None:
    text = "group g (\n)\na requires b\nrequires group h online local firm\nrequires group i offline local\n"
    columns = ("dependency_kind", "group", "parent", "child", "mode")
    assert table(read(text), "cluster_dependency", *columns) == [
        ("resource", "g", "a", "b", None),
        ("group", "g", "g", "h", "online local firm"),
        ("group", "g", "g", "i", "offline local"),
    ]


@pytest.mark.parametrize("kind", ["cluster", "system", "group", "remotecluster", "heartbeat", "type"])
def test_block_keyword_is_the_kind_of_the_entity(kind: str) -> None:
    parsed = read(f"{kind} x (\nAttr = 1\n)")
    assert table(parsed, "cluster_attribute", "entity_kind", "entity", "group") == [(kind, "x", None)]
    assert "cluster_resource" not in parsed.tables


def test_type_gives_its_attributes_with_their_defaults() -> None:
    text = "type T (\n\tstatic keylist K = { a, b }\n\tstr Path\n\tint N[] = { 1 }\n\tstr M{}\n\tNameRule = r.x\n)"
    assert attributes(text) == [
        ("T", "K", None, "{ a, b }"),
        ("T", "Path", None, None),
        ("T", "N", None, "{ 1 }"),
        ("T", "M", None, None),
        ("T", "NameRule", None, "r.x"),
    ]


def test_every_line_has_its_verdict() -> None:
    text = 'include "types.cf"\n// tree\n\ngroup g (\n\tSystemList = {\n\t\ta = 0 }\n\t)\n# note\n/* x\n y */\njunk\n'
    expected = [PARSED, IGNORED, BLANK, PARSED, PARSED, CONTINUATION, CONTINUATION, IGNORED, IGNORED, IGNORED, REJECTED]
    assert verdicts(text) == expected


@pytest.mark.parametrize(
    ("text", "line_no"),
    [
        ("group g (\n A = { 1\n)\n", 2),
        ("group g (\n A 1\n)\n", 2),
        ("group g (\n A =\n)\n", 2),
        ('group g (\n A = "1\n)\n', 2),
        ("group g (\n A = 1 2\n)\n", 2),
        (")\n", 1),
        ("a b requires c\n", 1),
        ("a requires\n", 1),
        ("requires group g h online\n", 1),
        ("} \n", 1),
        ("/* never closed\ngroup g (\n)\n", 1),
    ],
)
def test_damage_costs_its_line_only(text: str, line_no: int) -> None:
    lines = read(f"{text}system s (\n)\n").lines
    assert lines.filter(pl.col("verdict") == REJECTED)["line_no"].to_list() == [line_no]
    assert lines["reason"][line_no - 1]
    assert table(read(f"{text}system s (\n)\n"), "cluster_system", "system") == [("s",)]


def test_block_with_a_damaged_head_is_rejected_to_its_end() -> None:
    text = "group a (\n)\ngroup db2 shark (\n A = 1\n)\nIP x (\n)\n"
    assert verdicts(text) == [PARSED, CONTINUATION, REJECTED, REJECTED, REJECTED, PARSED, CONTINUATION]
    assert table(read(text), "cluster_resource", "resource", "group") == [("x", None)]
    assert attributes(text) == []


def test_lost_closing_parenthesis_is_made_up_for() -> None:
    text = "cluster c (\n A = 1\nsystem s (\n)\n"
    assert verdicts(text) == [PARSED, PARSED, PARSED, CONTINUATION]


# -- Secrets ----------------------------------------------------------------------------------------------------------

HASH = "W074SGN06c51"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (f'UserNames = {{ admin = "{HASH}" }}', "{ admin = ******** }"),
        (f"UserNames = {{ admin = {HASH}, op = {HASH} }}", "{ admin = ********, op = ******** }"),
        (f'UserNames = {{\n admin =\n "{HASH}"\n }}', "{ admin = ******** }"),
        (f"UserNames = {{ {HASH} }}", "{ ******** }"),
        (f'UserNames = "{HASH}"', "********"),
        (f"SecInfo = {HASH}", "********"),
        (f"SecInfo @a = {{ {HASH} }}", "********"),
        (f'Password = "{HASH}"', "********"),
        (f'DBAPword = "{HASH}"', "********"),
        (f"PWORD = {HASH}", "********"),
        (f"vcsPassWord = {HASH}", "********"),
        (f"SharedSecret = {{ a = {HASH} }}", "********"),
        (f'Login = {{ user = u, Password = "{HASH}" }}', "{ user = u, Password = ******** }"),
        (f'StartOpt = "-u x password={HASH}"', "-u x password=********"),
    ],
)
def test_secret_is_masked(text: str, value: str) -> None:
    parsed = read(f"cluster c (\n{text}\n)")
    assert table(parsed, "cluster_attribute", "value", "is_masked") == [(value, True)]
    assert HASH not in everything(parsed)


def test_other_values_are_not_masked() -> None:
    assert table(read("cluster c (\nA = secretary\n)"), "cluster_attribute", "value", "is_masked") == [
        ("secretary", False)
    ]


@pytest.mark.parametrize(
    "text",
    [
        f'cluster Sun CVM (\n UserNames = {{ admin = "{HASH}" }}\n)',
        f'cluster c (\n UserNames = {{ admin = "{HASH}"\n)',
        f'cluster c (\n UserNames = {{ admin =\n "{HASH}"\n)',
        f'cluster c (\n UserNames = {{ a = b,\n op = "{HASH}"\n)',
        f'cluster c (\n UserNames = {{ admin = "{HASH}" }} junk\n)',
        f'cluster c (\n UserNames = {{\n admin = "{HASH}" }} junk\n)',
        f'cluster c (\n User Names = {{ admin = "{HASH}" }}\n)',
        f'cluster c (\n UserNames = admin = "{HASH}"\n)',
        f'UserNames = {{ admin = "{HASH}" }}\n',
        f'cluster c (\n Password = "{HASH}\n)',
        f"cluster c (\n junk // Password {HASH}\n)",
    ],
)
def test_secret_in_damage_is_in_no_table_and_in_no_rejected_line(text: str) -> None:
    parsed = read(text)
    rejected = parsed.lines["verdict"] == REJECTED
    assert HASH not in everything(parsed)
    assert HASH not in "".join(numbered(text.splitlines()).filter(rejected)["text"])


def everything(parsed: Parsed) -> str:
    return "".join(frame.write_csv() for frame in [*parsed.tables.values(), parsed.lines])


# -- Properties -------------------------------------------------------------------------------------------------------
