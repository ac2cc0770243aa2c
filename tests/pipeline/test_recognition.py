from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from parsers.format import Format, Parsed, Recognition, Refusal
from parsers.format import formats as every_format
from pipeline.reading import read_head
from pipeline.recognition import recognise

SAMPLES = Path(__file__).parents[2] / "samples"
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


def test_a_format_is_not_asked_without_one_of_its_words() -> None:
    wordy = replace(format_of("x", Recognition(0.8, "x", 1)), hints=("z", "b"))
    assert recognise(HEAD, "log", formats(wordy)).format == "x"
    refusal = recognise(HEAD, "log", formats(replace(wordy, hints=("z", "ab")))).refusals["x"]
    assert refusal == Refusal("none of the words of which it has at least one: z, ab", 2)


def test_what_a_format_claims_holds_one_of_its_words() -> None:
    wordy = [each for each in every_format().values() if each.hints]
    for path in sorted(path for path in SAMPLES.rglob("*") if path.is_file()):
        with path.open("rb", buffering=0) as stream:
            head = read_head(stream)
        text = "\n".join(head.lines.to_list())
        for each in wordy:
            if isinstance(each.recognise(head.lines), Recognition):
                assert any(word in text for word in each.hints), (path, each.name)


@pytest.mark.parametrize(("stated", "format_name"), [("x", "x"), ("z", None)])
def test_the_manifest_wins(stated: str, format_name: str | None) -> None:
    known = formats(format_of("x", Refusal("no", 1)), format_of("y", Recognition(1.0, "y", 1)))
    decision = recognise(HEAD, "log", known, stated)
    assert decision.format == format_name
    assert "study.toml says" in decision.reason
