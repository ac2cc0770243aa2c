from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from parsers.format import Format, Parsed, Recognition, Refusal
from parsers.format import formats as every_format
from pipeline.reading import read_head
from pipeline.recognition import Question, recognise, recognise_each

SAMPLES = Path(__file__).parents[2] / "samples"
CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
HEAD = pl.Series("text", ["a", "b"])


def never_parsed(lines: pl.DataFrame) -> Parsed:
    raise AssertionError(lines)


def format_of(name: str, answer: Recognition | Refusal, *file_names: str) -> Format:
    return Format(name, name, (), lambda _: answer, never_parsed, None, file_names)


def formats(*each: Format) -> dict[str, Format]:
    return {one.name: one for one in each}


def test_the_most_confident_wins_whatever_the_file_is_called() -> None:
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
def test_what_a_file_lacks_is_told_in_words(needs: str, reason: str) -> None:
    needy = replace(format_of("x", Recognition(0.8, "x", 1)), needs=needs)
    assert recognise(HEAD, "log", formats(needy)).refusals["x"] == Refusal(reason, 2)


def test_what_a_file_lacks_is_not_found_in_the_one_beside_it() -> None:
    needy = replace(format_of("x", Recognition(0.8, "x", 1)), needs="b")
    heads = [pl.Series("text", each, pl.String) for each in (["a"], ["b", "a"], [], ["c", "ab"])]
    found = recognise_each([Question(head, "log") for head in heads], formats(needy))
    assert [each.format for each in found] == [None, "x", None, "x"]


@pytest.mark.parametrize(
    "folder",
    [
        SAMPLES,
        pytest.param(
            CORPUS, marks=pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside this checkout")
        ),
    ],
    ids=["samples", "corpus"],
)
def test_what_a_format_claims_has_what_it_needs(folder: Path) -> None:
    needy = {name: each for name, each in every_format().items() if each.needs is not None}
    by_name = {path.name: path for path in sorted(folder.rglob("*")) if path.is_file()}  # runs have files of one name
    heads = [_head(path) for path in by_name.values()]
    claimed = 0
    for name, each in needy.items():  # one format after the other: patterns are compiled once
        for head in heads:
            if isinstance(each.recognise(head), Recognition):
                claimed += 1
                assert head.str.contains(str(each.needs)).any(), (head.head(3).to_list(), name)
    assert claimed > 10


def _head(path: Path) -> pl.Series:
    with path.open("rb", buffering=0) as stream:
        return read_head(stream).lines


@pytest.mark.parametrize(("stated", "format_name"), [("x", "x"), ("z", None)])
def test_the_manifest_wins(stated: str, format_name: str | None) -> None:
    known = formats(format_of("x", Refusal("no", 1)), format_of("y", Recognition(1.0, "y", 1)))
    decision = recognise(HEAD, "log", known, stated)
    assert decision.format == format_name
    assert "study.toml says" in decision.reason
