import hashlib
import io
import time
from typing import BinaryIO, cast

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from parsers.format import LINE_SCHEMA
from pipeline.memory import MEBIBYTE
from pipeline.reading import lines
from pipeline.reading.lines import LINE_CAP, Facts, chunks, read_head, read_lines


def lines_of(data: bytes, encoding: str | None = None, *, block_bytes: int = MEBIBYTE) -> tuple[list[str], Facts]:
    facts = Facts()
    frames = list(read_lines(io.BytesIO(data), 7, facts, encoding, block_bytes=block_bytes))
    for frame in frames:
        assert frame.schema == pl.Schema(LINE_SCHEMA)
    joined = pl.concat([pl.DataFrame(schema=LINE_SCHEMA), *frames])
    assert joined.get_column("line_no").to_list() == list(range(1, facts.lines + 1))
    assert set(joined.get_column("file_id")) <= {7}
    return joined.get_column("text").to_list(), facts


@pytest.mark.parametrize(
    ("data", "texts", "encoding"),
    [
        pytest.param(b"", [], "utf-8", id="empty"),
        pytest.param(b"a", ["a"], "utf-8", id="one byte"),
        pytest.param(b"\n", [""], "utf-8", id="one empty line"),
        pytest.param(b"a\n\nb", ["a", "", "b"], "utf-8", id="no final newline"),
        pytest.param(b"a\r\nb\r\n", ["a", "b"], "utf-8", id="CR LF"),
        pytest.param(b"a\rb\rc", ["a", "b", "c"], "utf-8", id="CR only"),
        pytest.param(b"a\rb\nc", ["a\rb", "c"], "utf-8", id="a CR inside a line stays"),
        pytest.param(
            b"a\x0cb\x0bc\xe2\x80\xa8d\n", ["a\x0cb\x0bc\u2028d"], "utf-8", id="no other character ends a line"
        ),
        pytest.param(b"\0\0a\0b\n\0\0\n", ["ab", ""], "utf-8", id="NUL bytes are removed"),
        pytest.param(b"\xef\xbb\xbfa\n", ["a"], "utf-8-sig", id="byte order mark"),
        pytest.param("Grüße\nzwei\n".encode("utf-16"), ["Grüße", "zwei"], "utf-16-le", id="UTF-16 LE, mark"),
        pytest.param("\ufeffGrüße\n".encode("utf-16-be"), ["Grüße"], "utf-16-be", id="UTF-16 BE, mark"),
        pytest.param("plain text\n".encode("utf-16-le"), ["plain text"], "utf-16-le", id="UTF-16 LE, no mark"),
        pytest.param("plain text\n".encode("utf-16-be"), ["plain text"], "utf-16-be", id="UTF-16 BE, no mark"),
        pytest.param("Grüße\n".encode(), ["Grüße"], "utf-8", id="UTF-8"),
        pytest.param("Größe – „x“\n".encode("cp1252"), ["Größe – „x“"], "cp1252", id="cp1252"),
        pytest.param(b"a\x81b\xe4\n", ["a\x81bä"], "latin-1", id="latin-1: a byte that cp1252 lacks"),
        pytest.param("é é é".encode() + b" \xe9\n", ["é é é é"], "utf-8", id="one torn byte does not garble the rest"),
        pytest.param(b"a\xed\xa0\x80b\n", ["aí\xa0€b"], "cp1252", id="a lone surrogate"),
    ],
)
def test_bytes_become_these_lines(data: bytes, texts: list[str], encoding: str) -> None:
    found, facts = lines_of(data)
    assert found == texts
    assert facts.encoding == encoding
    assert facts.bytes == len(data)
    assert facts.sha256 == hashlib.sha256(data).hexdigest()


def test_a_declared_encoding_wins() -> None:
    assert lines_of("Привет\n".encode("koi8-r"), "koi8-r")[0] == ["Привет"]
    assert lines_of("Grüße\n".encode("utf-16"), "utf-16")[0] == ["Grüße"]


@pytest.mark.parametrize("block_bytes", [1, 7, 64, MEBIBYTE])
def test_nul_bytes_that_a_power_loss_left_at_the_end_are_a_line_of_their_own(block_bytes: int) -> None:
    kept = b"one\n\0\0two\ntorn" + b"\0" * 500
    assert lines_of(kept, block_bytes=block_bytes)[0] == ["one", "two", "torn", "\0"]
    assert lines_of(kept + b"more\n", block_bytes=block_bytes)[0] == ["one", "two", "tornmore"]
    assert lines_of(b"one\n" + b"\0" * 15, block_bytes=block_bytes)[0] == ["one"]


def test_a_hole_without_end_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sparse file of a terabyte takes no space on a disk."""
    monkeypatch.setattr(lines, "MAX_NULS", 1000)
    texts, facts = lines_of(b"one\ntorn" + b"\0" * 100_000 + b"more\n", block_bytes=7)
    assert texts == ["one", "torn", "\0"]
    assert facts.bytes < 70_000
    assert (facts.is_hole, facts.sha256) == (True, "")
    assert "reading stopped after" in (facts.note() or "")


def test_small_log_with_a_long_tail_of_nul_bytes_is_no_binary() -> None:
    head = read_head(io.BytesIO(b"Mar  1 10:00:00 host cron: x\n" + b"\0" * 200))
    assert (head.problem, head.lines.to_list()) == (None, ["Mar  1 10:00:00 host cron: x"])


@pytest.mark.parametrize("block_bytes", [1, 7, MEBIBYTE])
def test_colours_are_removed_and_counted(block_bytes: int) -> None:
    text = b"\x1b[32mJul 28\x1b[0m \x1b[1;31msun-ha4\x1b[m llt: x\x1b[K\nplain\n"
    texts, facts = lines_of(text, block_bytes=block_bytes)
    assert texts == ["Jul 28 sun-ha4 llt: x", "plain"]
    assert facts.note() == "5 commands for colours removed"
    assert read_head(io.BytesIO(text)).lines.to_list() == texts


def test_colours_of_sysstat_are_removed() -> None:
    # RECORDED (rec_linux_sysstat12.6.1_color.txt)
    text = b"       \x1b[34;1m   44.92\x1b[0m\x1b[34;22m    0.00\x1b[0m\x1b[34;1m    9.68\x1b[0m\n"
    assert lines_of(text)[0] == ["          44.92    0.00    9.68"]


@pytest.mark.parametrize(
    "text", ["a\x1b[2Jb", "a \x1b[31mred", "\x1b[2J\x1b[1;31mred\x1b[0m", "a\x1b]52;c;eA==\x07\x1b[0m"]
)
def test_other_commands_for_a_terminal_are_what_a_line_says(text: str) -> None:
    assert lines_of(f"plain\n{text}\n".encode())[0] == ["plain", text]


@pytest.mark.parametrize(
    "text", ["\x1b[31ma", "a \x1b[31mred\x1b[39m!", "a \x1b[01;31m\x1b[Kfound\x1b[m\x1b[K", "\x1b[0ma"]
)
def test_a_line_that_a_program_coloured_begins_with_a_colour_or_takes_it_back(text: str) -> None:
    assert "\x1b" not in lines_of(f"{text}\n".encode())[0][0]


def test_what_was_changed_is_counted() -> None:
    _, facts = lines_of("é é".encode() + b"\xe9\0\0\n")
    assert (facts.foreign_bytes, facts.nul_bytes) == (1, 2)
    assert facts.note() == "2 NUL bytes removed; 1 bytes that are not UTF-8 read as cp1252"


def test_a_line_over_the_cap_is_cut_and_counted() -> None:
    data = b"x" * (LINE_CAP - 1) + "é".encode() * 3 + b"\nshort\n"
    texts, facts = lines_of(data)
    assert [len(each) for each in texts] == [LINE_CAP - 1, 5]  # half a character is none
    assert facts.cut_lines == 1


def test_a_line_of_exactly_the_cap_is_whole() -> None:
    texts, facts = lines_of(b"x" * LINE_CAP + b"\r\n")
    assert len(texts[0]) == LINE_CAP
    assert facts.cut_lines == 0


def test_a_line_of_100_mb_ends_as_one_line_in_little_memory_and_time() -> None:
    class Endless(io.RawIOBase):
        left = 100 * MEBIBYTE

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            taken = min(size, self.left)
            self.left -= taken
            return b"x" * taken

    facts = Facts()
    began = time.perf_counter()
    (frame,) = read_lines(cast("BinaryIO", Endless()), 1, facts)
    assert frame.height == 1
    assert len(frame["text"][0]) == LINE_CAP
    assert (facts.bytes, facts.lines, facts.cut_lines) == (100 * MEBIBYTE, 1, 1)
    assert time.perf_counter() - began < 20


PIECES = st.sampled_from(
    [
        b"a",
        b"\n",
        b"\r\n",
        b"\r",
        b"\0",
        b" ",
        "é".encode(),
        b"\xe9",
        b"\x81",
        "€".encode(),
        b"\xed\xa0\x80",
        b"xyz" * 9,
    ]
)


HEAD = b"head\n" * 12


@example([b"\r", b"a"], 1)  # a return at the end of a block, with no line end behind
@example([b"a"] * 7 + [b"\xe2\x82\xac", b"\xed\xa0\x80", b"\n"], 1)  # longer as UTF-8 than as it is read
@given(st.lists(PIECES, max_size=60), st.integers(1, 12))
def test_lines_do_not_depend_on_the_size_of_blocks(pieces: list[bytes], block_bytes: int) -> None:
    data = b"".join(pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "LINE_CAP", 16)
        whole, facts = lines_of(HEAD + data, block_bytes=lines.HEAD_BYTES)
        patch.setattr(lines, "HEAD_BYTES", len(HEAD))
        texts, others = lines_of(HEAD + data, block_bytes=block_bytes)
    assert texts == whole
    assert (others.sha256, others.nul_bytes, others.cut_lines) == (facts.sha256, facts.nul_bytes, facts.cut_lines)
    if not facts.cut_lines:  # what is cut away is not looked at
        assert others == facts


@given(st.lists(st.sampled_from([b"a", b"\r", b"\n", b"\r\n", b"\x0b\x0c\x1c", "\u2028é".encode()]), max_size=30))
def test_short_texts_have_the_lines_of_long_ones(pieces: list[bytes]) -> None:
    data = b"head\n" + b"".join(pieces)
    short = lines_of(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "SHORT_TEXT", -1)
        assert lines_of(data) == short


@given(st.binary(max_size=300))
def test_no_bytes_make_reading_fail(data: bytes) -> None:
    texts, facts = lines_of(data)
    assert len(texts) == facts.lines
    assert all("\0" not in text and "\n" not in text for text in texts)
    read_head(io.BytesIO(data))


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=80))
def test_utf8_comes_through_unchanged(text: str) -> None:
    assert lines_of(b"first\n" + text.encode() + b"\n")[0][1:] == [text]


# Head


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        pytest.param(b"", "empty", id="empty"),
        pytest.param(b"\x7fELF\x02\x01" + b"\0" * 50, "binary: an ELF program", id="ELF"),
        pytest.param(b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "binary: a PNG image", id="PNG"),
        pytest.param(b"\0" * 5000, "binary: nothing but NUL bytes", id="a hole"),
        pytest.param(b"ab\x01\0\0cd\0\0" * 50, "binary: many NUL bytes", id="records"),
        pytest.param(bytes(range(1, 128)) * 4, "binary: many control bytes", id="control bytes"),
        pytest.param(b"\x1f\x8b\x08\0" + b"\xaa" * 50, "binary: gzip data", id="gzip without its ending"),
    ],
)
def test_what_is_no_text_is_reported(data: bytes, problem: str) -> None:
    head = read_head(io.BytesIO(data))
    assert head.problem == problem
    assert len(head.lines) == 0


def test_the_head_is_400_lines_of_the_first_64_kib() -> None:
    assert len(read_head(io.BytesIO(b"a\n" * 1000)).lines) == 400
    long = read_head(io.BytesIO((b"y" * 999 + b"\n") * 100)).lines
    assert set(long) == {"y" * 999}  # the line cut at 64 KiB is not shown


def test_a_log_that_begins_with_a_hole_is_still_seen() -> None:
    assert read_head(io.BytesIO(b"\0" * 200_000 + b"text\n")).lines.to_list() == ["text"]
    assert read_head(io.BytesIO(b"\0" * 2000 + b"text\n")).lines.to_list() == ["text"]


def test_colours_of_a_terminal_are_text() -> None:
    assert read_head(io.BytesIO(b"\x1b[31mred\x1b[0m\n" * 5)).problem is None


# Chunks


def frame(file_id: int, texts: list[str], first: int = 1) -> pl.DataFrame:
    rows = [(file_id, first + i, text) for i, text in enumerate(texts)]
    return pl.DataFrame(rows, schema=LINE_SCHEMA, orient="row")


def test_small_files_share_a_chunk() -> None:
    frames = [frame(i, ["# record", "x"]) for i in range(100)]
    assert len(list(chunks(frames, "^#", chunk_bytes=10_000))) == 1


@given(
    st.lists(st.lists(st.sampled_from(["# head", "more", ""]), max_size=20), max_size=12),
    st.integers(1, 60),
    st.booleans(),
)
def test_chunks_are_the_frames_cut_only_before_boundaries(
    files: list[list[str]],
    chunk_bytes: int,
    has_boundary: bool,  # noqa: FBT001  drawn by hypothesis
) -> None:
    frames = [
        part
        for i, texts in enumerate(files)
        for part in (frame(i, texts[:5]), frame(i, texts[5:], first=len(texts[:5]) + 1))
        if part.height
    ]
    found = list(chunks(frames, "^#" if has_boundary else None, chunk_bytes=chunk_bytes))
    assert pl.concat([frame(0, []), *found]).equals(pl.concat([frame(0, []), *frames]))
    for each in found:
        first = each.row(0, named=True)
        assert first["line_no"] == 1 or (has_boundary and first["text"].startswith("#"))


def test_a_file_without_a_boundary_is_cut_at_the_limit_of_memory() -> None:
    frames = [frame(1, ["x" * 10] * 10, first=1 + 10 * i) for i in range(10)]
    found = list(chunks(frames, "^#", chunk_bytes=50, max_chunk_bytes=300))
    assert [each.height for each in found] == [30, 30, 30, 10]


@pytest.mark.parametrize("long", [9_000, 65_535, 65_536, 131_071, 131_072, 3_000_000])
@pytest.mark.parametrize("letter", ["x", "\u00e9"])
def test_a_long_line_hides_no_other_from_recognition(long: int, letter: str) -> None:
    lines = ["first", letter * long, *["short"] * 50, "y" * long, *["last"] * 500]
    head = read_head(io.BytesIO("\n".join(lines).encode())).lines.to_list()
    assert head[0] == "first"
    assert set(head[1]) == {letter}
    assert head[2:52] == ["short"] * 50
    assert set(head[52]) == {"y"}
    assert set(head[53:]) == {"last"}
    assert len(head) == 400


def test_a_file_of_long_lines_only_is_looked_at_to_an_end() -> None:
    head = read_head(io.BytesIO((b"x" * 100_000 + b"\n") * 200)).lines
    assert 1 <= len(head) <= 20
    assert max(map(len, head)) <= 65_536


def test_carriage_returns_within_lines_are_counted() -> None:
    """Of a text whose lines end with LF, or CR and LF, a lone CR ends none: what was put together may hide lines so."""
    texts, facts = lines_of(b"one\rtwo\r\nthree\n")
    assert texts == ["one\rtwo", "three"]
    assert facts.note() == "1 carriage returns within lines, which end no line here"
    assert lines_of(b"one\r\ntwo\r\n")[1].note() is None
    assert lines_of(b"one\rtwo\r")[1].note() is None
