import re
from io import BytesIO

import pytest
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]  # ships no types

from reports.typeset import further_fonts
from reports.typeset.further_fonts import (
    BOX,
    BOX_FAMILY,
    advice,
    boxed,
    further,
    in_picture,
    package,
    stack,
    with_parts,
)


@pytest.fixture
def no_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without fonts."""
    monkeypatch.setattr(further_fonts, "_listed", lambda _: [])
    further_fonts._found.cache_clear()


def test_what_plex_draws_needs_no_further_font() -> None:
    assert further("Größe, Настроенный, ρυθμισμένο ≤ 5 µs\u200e \n") == further_fonts.Further()


@pytest.mark.usefixtures("no_fonts")
def test_without_a_font_there_are_boxes_and_one_advice() -> None:
    found = further("設定 ค่า")
    assert found.missing == frozenset("設定ค่า")
    (box,) = found.faces
    assert box.family == BOX_FAMILY
    assert set(TTFont(BytesIO(box.data)).getBestCmap()) >= {ord(BOX), ord(" ")}
    assert boxed("a設b定 ค่า", found.missing) == f"a{BOX}b{BOX} {BOX}{BOX}", "a mark above another letter has no box"
    assert advice(found.missing) == (
        "No font of this machine has 5 characters of this report (CJK, Thai): the paper prints a box for each. "
        "On Debian or Ubuntu `apt-get install fonts-noto-cjk fonts-noto-core` brings them."
    )


def test_no_missing_character_no_advice() -> None:
    assert advice(()) == ""


def test_packages_by_script() -> None:
    assert {each: package(each) for each in "漢カ한สא→"} == {
        "漢": "fonts-noto-cjk",
        "カ": "fonts-noto-cjk",
        "한": "fonts-noto-cjk",
        "ส": "fonts-noto-core",
        "א": "fonts-noto-core",
        "→": "fonts-symbola",
    }


def test_further_fonts_come_behind_plex() -> None:
    faces = further_fonts.Further((further_fonts.FurtherFace("A", b""), further_fonts.FurtherFace("B", b""))).faces
    assert stack(faces) == ', "A", "B"'
    assert in_picture('<text font-family="IBM Plex Sans">', faces) == '<text font-family="IBM Plex Sans, A, B">'


def test_fonts_of_the_machine_are_cut_to_what_is_drawn() -> None:
    further_fonts._found.cache_clear()
    found = further("\u05d0\u05d1")
    if found.missing:
        pytest.skip("no font of this machine draws Hebrew: apt-get install fonts-dejavu-core")
    (face,) = found.faces
    assert set(TTFont(BytesIO(face.data)).getBestCmap()) == {0x20, 0xA0, 0x5D0, 0x5D1}
    assert face.name
    assert face.version


def test_vowels_on_both_sides_of_a_letter_bring_their_parts() -> None:
    assert with_parts("\u0ba4\u0bcb") == set("\u0ba4\u0bcb\u0bc7\u0bbe"), (
        "Tamil: else the whole vowel follows its letter"
    )
    assert with_parts("\u09cc") == set("\u09cc\u09c7\u09d7"), "Bengali"
    assert with_parts("\u0e33") == set("\u0e33\u0e4d\u0e32"), "Thai"
    assert with_parts("\uac00\u00e9\u6f22") == set("\uac00\u00e9\u6f22"), "what a font draws whole stays whole"


def test_the_font_with_most_letters_comes_first_and_keeps_syllables_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = (further_fonts.SystemFont(f"{name}.ttf", 0, f"Noto Sans {name}", n) for name, n in (("A", 1), ("B", 2)))
    has = {few.file: "\u0bcd", many.file: "\u0bb2\u0bcd"}
    cut: list[tuple[str, str]] = []

    def kept(font: further_fonts.SystemFont, wanted: frozenset[str], left: set[str]) -> object:
        drawn = frozenset(has[font.file]) & wanted
        if drawn.isdisjoint(left):
            return None
        cut.append((font.file, "".join(sorted(drawn))))
        return (b"", font.file, ""), drawn

    monkeypatch.setattr(further_fonts, "_listed", lambda _: [few, many])
    monkeypatch.setattr(further_fonts, "_kept", kept)
    further_fonts._found.cache_clear()
    (face,) = further("\u0bb2\u0bcd").faces
    assert re.fullmatch(r"[A-Za-z]+( [A-Za-z]+)*", face.family), "figures name it without quotes"
    assert cut == [("B.ttf", "\u0bb2\u0bcd")]
    further_fonts._found.cache_clear()
