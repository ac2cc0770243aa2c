from dataclasses import replace
from pathlib import Path
from random import Random

import polars as pl
import pytest

from parsers.format import Format, Parsed, Recognition, Refusal
from parsers.format import formats as every_format
from pipeline.reading.lines import read_head
from pipeline.reading.recognition import Question, recognise, recognise_each, within_lines

SAMPLES = Path(__file__).parents[3] / "samples"
HEAD = pl.Series("text", ["a", "b"])


def head_of(path: Path) -> pl.Series:
    with path.open("rb") as stream:
        return read_head(stream).lines


def never_parsed(lines: pl.DataFrame) -> Parsed:
    raise AssertionError(lines)


def format_of(name: str, answer: Recognition | Refusal, *file_names: str) -> Format:
    return Format(name, name, (), lambda _: answer, never_parsed, None, file_names)


def formats(*each: Format) -> dict[str, Format]:
    return {one.name: one for one in each}


def test_the_most_confident_wins_regardless_of_the_name_of_the_file() -> None:
    known = formats(format_of("x", Recognition(0.5, "some x", 1), "*.x"), format_of("y", Recognition(0.8, "much y", 2)))
    decision = recognise(HEAD, "log.x", known)
    assert (decision.format, decision.reason, decision.line_no) == ("y", "much y", 2)
    assert decision.refusals == {"x": Refusal("y fits better: some x", 1)}


def test_the_file_name_breaks_a_tie() -> None:
    known = formats(format_of("x", Recognition(0.5, "x", 1)), format_of("y", Recognition(0.5, "y", 1), "log.*"))
    decision = recognise(HEAD, "LOG.1", known)
    assert decision.format == "y"
    assert decision.reason == "y; the file name decides among x, y"


def test_without_a_name_the_first_by_name_breaks_a_tie() -> None:
    known = formats(format_of("y", Recognition(0.5, "y", 1)), format_of("x", Recognition(0.5, "x", 1)))
    assert recognise(HEAD, "log", known).format == "x"


def test_refusals_are_kept_with_their_lines() -> None:
    known = formats(format_of("x", Refusal("no x", 2)), format_of("y", Refusal("no y", 1)))
    decision = recognise(HEAD, "log", known)
    assert decision.format is None
    assert decision.refusals == {"x": Refusal("no x", 2), "y": Refusal("no y", 1)}


def test_a_signature_under_its_own_name_ends_the_search() -> None:
    def unasked(_: pl.Series) -> Recognition:
        raise AssertionError

    other = Format("a", "a", (), unasked, never_parsed, None)
    known = formats(other, format_of("x", Recognition(0.95, "signature", 1), "*.x"))
    assert recognise(HEAD, "log.x", known).format == "x"


def test_a_format_is_not_asked_without_a_line_that_it_needs() -> None:
    needy = replace(format_of("x", Recognition(0.8, "x", 1)), needs="z|^b")
    assert recognise(HEAD, "log", formats(needy)).format == "x"
    assert recognise(HEAD, "log", formats(replace(needy, needs="z|ab"))).format is None


@pytest.mark.parametrize(
    ("needs", "reason"),
    [
        pytest.param("z|ab", "none of the words of which it has at least one: z, ab", id="words are named"),
        pytest.param(
            r"^z[0-9]+",
            "no line that every such file has",
            id="no pattern is shown",
        ),
    ],
)
def test_what_a_file_lacks_is_reported_in_words(needs: str, reason: str) -> None:
    needy = replace(format_of("x", Recognition(0.8, "x", 1)), needs=needs)
    assert recognise(HEAD, "log", formats(needy)).refusals["x"] == Refusal(reason, 2)


def test_what_a_file_lacks_is_not_found_in_the_one_beside_it() -> None:
    needy = replace(format_of("x", Recognition(0.8, "x", 1)), needs="b")
    heads = [pl.Series("text", each, pl.String) for each in (["a"], ["b", "a"], [], ["c", "ab"])]
    found = recognise_each([Question(head, "log") for head in heads], formats(needy))
    assert [each.format for each in found] == [None, "x", None, "x"]


@pytest.mark.parametrize(
    ("pattern", "fits_a_line", "over_a_line_end"),
    [
        (r"^a\s+b$", ["x", "a b", "y"], ["a", "b"]),
        (r"a\W*b", ["a.b"], ["a", "b"]),
        (r"a[^x]b", ["aab"], ["a", "b"]),
        (r"a[\s,]*b", ["a ,b"], ["a,", "b"]),
        (r"a[^\d\]]*b", ["a[b"], ["a[", "b"]),
        (r"^\D{2}$", ["ab"], ["a", "1"]),
    ],
)
def test_a_need_of_one_line_is_not_met_by_two(pattern: str, fits_a_line: list[str], over_a_line_end: list[str]) -> None:
    texts = pl.Series(["\n".join(fits_a_line), "\n".join(over_a_line_end)])
    assert texts.str.contains(within_lines(pattern)).to_list() == [True, False]


def test_needs_of_all_formats_are_met_in_whole_heads_where_they_are_met_in_a_line() -> None:
    random = Random(15)  # noqa: S311  no cryptography
    seeds = [line for path in sorted(SAMPLES.rglob("*"))[::40] if path.is_file() for line in head_of(path)[:30]]
    pieces = [" ", "\t", "1", "a", "=", '"', "[", "{", ":", "0 1", "DB2", "include", "system", "Mem", "LEVEL", ""]
    heads = []
    for _ in range(60):
        lines = [random.choice(seeds) if random.random() < 0.2 else "".join(random.choices(pieces, k=4)) for _ in "ab"]
        heads.append(pl.Series("text", lines))
    texts = pl.Series(["\n".join(head) for head in heads])
    for each in every_format().values():
        if each.needs is not None:
            by_line = [bool(head.str.contains(each.needs).any()) for head in heads]
            assert texts.str.contains(within_lines(each.needs)).to_list() == by_line, each.name


def test_answers_do_not_depend_on_the_files_asked_about_together() -> None:
    paths = [path for path in sorted(SAMPLES.rglob("*"))[::60] if path.is_file()]
    questions = [Question(head_of(path), path.name) for path in paths]
    together = recognise_each(questions, every_format())
    assert together == [recognise(each.head, each.file_name, every_format()) for each in questions]


@pytest.mark.parametrize(("stated", "format_name"), [("x", "x"), ("z", None)])
def test_the_manifest_wins(stated: str, format_name: str | None) -> None:
    known = formats(format_of("x", Refusal("no", 1)), format_of("y", Recognition(1.0, "y", 1)))
    decision = recognise(HEAD, "log", known, stated)
    assert decision.format == format_name
    assert "study.toml says" in decision.reason


@pytest.mark.parametrize("indent", ["", "    "])
def test_lines_that_are_all_set_in_continue_none(indent: str) -> None:
    lines = [
        "2026-03-02 07:51:12.986 UTC [40] LOG:  waiting for WAL to become available at 0/6007990",
        "2026-03-02 07:51:17,712 WARNING: Request failed to anna: GET http://10.0.0.1:8008/patroni (timed out)",
        "2026-03-02 07:51:17,742 INFO: promoted self to leader by acquiring session lock",
        "2026-03-02 07:51:17.744 UTC [40] LOG:  received promote request",
    ]
    assert recognise(pl.Series([indent + each for each in lines]), "a.log", every_format()).format == "patroni"
