"""What `[report]` of study.toml may declare, and which logos are taken."""

import struct
import zlib
from pathlib import Path

import pytest

from pipeline.errors import UsageError
from pipeline.study.branding_options import MOST_LOGO_BYTES, HouseStyle, contrast
from pipeline.study.manifest import load, parse

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h4v4z" fill="#1d5a96"/></svg>'


def png(width: int = 1, height: int = 1) -> bytes:
    """A grey picture."""
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(b"\0\x80")),
        (b"IEND", b""),
    ]
    chunks = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def study(folder: Path, logo: str, content: bytes | str | None) -> Path:
    """A study whose report is to have a logo."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "study.toml").write_text(f"[report]\nlogo = '{logo}'\n", encoding="utf-8")
    if content is not None:
        (folder / logo).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def test_what_is_declared_is_in_the_store() -> None:
    stated = parse(b'[report]\naccent = "#7A1F3D"\npaper = "Letter"\nlanguage = "de"\n')
    assert stated.report == HouseStyle(accent="#7a1f3d", paper="Letter", language="de")
    assert stated.tables()["house_style"].rows() == [("#7a1f3d", "Letter", "de", None)]
    assert parse(b"").tables()["house_style"].is_empty()


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        ('accent = "navy"', "'accent' in [report]: expected a colour such as \"#1d5a96\", found 'navy'"),
        ('accent = "#fff; } body { display: none"', "'accent' in [report]: expected a colour"),
        ('accent = "#ffcc00"', "'accent' in [report]: #ffcc00 is too light to read on white: contrast 1.5"),
        ('paper = "A5"', "'paper' in [report]: expected one of A4, Letter, found 'A5'"),
        ('language = "xx"', "'language' in [report]: expected one of en, de"),
        ("logo = 3", "'logo' in [report]: expected text in quotes"),
        ('title = "T"', "unknown key 'title' in [report]; it is a key of [study] and of [[section]]"),
        ('acent = "#000000"', "unknown key 'acent' in [report]; the nearest known is 'accent'"),
    ],
)
def test_a_wrong_value_is_an_error_that_names_the_key(stated: str, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse(f"[report]\n{stated}\n".encode())
    assert message in str(refused.value)


@pytest.mark.parametrize("content", [png(), SVG, "\ufeff" + SVG], ids=["png", "svg", "svg with a mark"])
def test_a_logo_is_read_as_it_is(tmp_path: Path, content: bytes | str) -> None:
    expected = content.encode() if isinstance(content, str) else content
    assert load(study(tmp_path, "logo", content)).logo == expected


INSIDE = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">{}</svg>'


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(INSIDE.format("<script>alert(1)</script>"), id="script"),
        pytest.param(SVG.replace("<path", '<path onload="alert(1)"'), id="event handler"),
        pytest.param(INSIDE.format('<image href="https://example.org/a.png"/>'), id="image"),
        pytest.param(INSIDE.format('<use xlink:href="file:///etc/passwd#a"/>'), id="use"),
        pytest.param(INSIDE.format("<style>@import 'https://example.org'</style>"), id="style sheet"),
        pytest.param(INSIDE.format("<foreignObject><p>x</p></foreignObject>"), id="foreign object"),
        pytest.param(INSIDE.format("<a href='javascript:alert(1)'/>"), id="link"),
        pytest.param(SVG.replace("#1d5a96", "url(https://example.org/#a)"), id="paint from elsewhere"),
        pytest.param(
            INSIDE.format('<linearGradient xlink:href="https://example.org/#a"/>'), id="gradient from elsewhere"
        ),
        pytest.param('<!DOCTYPE svg [<!ENTITY a "aaaa">]>' + SVG, id="entities"),
        pytest.param('<?xml-stylesheet href="https://example.org/a.css"?>' + SVG, id="style sheet instruction"),
        pytest.param(INSIDE.format('<g transform="scale(1e300)"/>'), id="a number that no PDF has"),
        pytest.param(INSIDE.format('<g transform="scale(9999)">' * 3 + "</g>" * 3), id="scales in scales"),
        pytest.param(INSIDE.format('<path d="M0 0L1e999 5"/>'), id="infinity"),
        pytest.param(INSIDE.format('<rect width="99999999"/>'), id="wide"),
        pytest.param("<html><svg/></html>", id="HTML"),
        pytest.param("GIF89a", id="another format"),
        pytest.param("", id="empty"),
        pytest.param(png()[:-6], id="cut PNG"),
        pytest.param(png().replace(b"IDAT", b"IDAX"), id="damaged PNG"),
        pytest.param(png(width=100_000), id="huge PNG"),
        pytest.param(SVG + " " * MOST_LOGO_BYTES, id="large file"),
    ],
)
def test_a_logo_that_could_do_something_is_refused(tmp_path: Path, content: bytes | str) -> None:
    with pytest.raises(UsageError, match=r"'logo' in \[report\]: 'logo'"):
        load(study(tmp_path, "logo", content))


def test_a_logo_from_outside_the_study_is_refused(tmp_path: Path) -> None:
    outside = tmp_path / "outside.png"
    outside.write_bytes(png())
    inner = tmp_path / "study"
    for path in ("../outside.png", str(outside)):
        with pytest.raises(UsageError, match="is not inside the study"):
            load(study(inner, path, None))
    (inner / "link.png").symlink_to(outside)
    with pytest.raises(UsageError, match="is not inside the study"):
        load(study(inner, "link.png", None))


def test_a_logo_that_is_not_there_or_no_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load(study(tmp_path, "missing.png", None))
    (tmp_path / "folder").mkdir()
    with pytest.raises(UsageError, match="is no file"):
        load(study(tmp_path, "folder", None))


@pytest.mark.parametrize(
    ("colour", "paper", "expected"),
    [
        pytest.param("#000000", "#ffffff", 21.0, id="as much as there is"),
        pytest.param("#777777", "#ffffff", 4.48, id="the grey that just fails, WCAG"),
        pytest.param("#1d5a96", "#1d5a96", 1.0, id="none"),
    ],
)
def test_contrast(colour: str, paper: str, expected: float) -> None:
    assert contrast(colour, paper) == pytest.approx(expected, abs=0.005)
