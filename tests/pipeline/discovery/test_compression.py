"""Compressed streams: what comes out, no matter what is in them."""

import io
import lzma

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.discovery.compression import Decoded, Limits, codec_of, gzip_time, without_suffix
from pipeline.memory import MEBIBYTE
from tests.support.examples import COSTLY
from tests.support.packed import COMPRESSED

TEXT = b"".join(b"Jul 28 10:27:04 sun-ha4 kernel: line %d\n" % number for number in range(5000))
NOISE = bytes(number * number % 251 for number in range(300_000))


def decoded(content: bytes, limits: Limits | None = None) -> tuple[bytes, str | None]:
    stream = Decoded(io.BytesIO(content), str(codec_of(content)), limits or Limits())
    return stream.read(), stream.note


@pytest.mark.parametrize("suffix", COMPRESSED)
@pytest.mark.parametrize("content", [b"", b"x", TEXT, NOISE], ids=["empty", "one byte", "text", "noise"])
def test_content_comes_out(suffix: str, content: bytes) -> None:
    assert decoded(COMPRESSED[suffix](content)) == (content, None)


@pytest.mark.parametrize("suffix", COMPRESSED)
def test_streams_one_behind_the_other_are_one(suffix: str) -> None:
    parts = [b"one\n", b"", TEXT, b"two\n"] * 30
    assert decoded(b"".join(COMPRESSED[suffix](part) for part in parts)) == (b"".join(parts), None)


@pytest.mark.parametrize("suffix", COMPRESSED)
@pytest.mark.parametrize("size", [1, 7, 65_536, MEBIBYTE])
def test_the_size_of_reads_makes_no_difference(suffix: str, size: int) -> None:
    stream = Decoded(io.BytesIO(COMPRESSED[suffix](TEXT)), str(codec_of(COMPRESSED[suffix](b""))))
    assert b"".join(iter(lambda: stream.read(size), b"")) == TEXT


@pytest.mark.parametrize("suffix", COMPRESSED)
def test_padding_behind_the_end_is_passed_over(suffix: str) -> None:
    assert decoded(COMPRESSED[suffix](TEXT) + b"\0" * 1000) == (TEXT, None)


@pytest.mark.parametrize("suffix", COMPRESSED)
def test_what_is_not_compressed_behind_the_end_is_reported(suffix: str) -> None:
    content, note = decoded(COMPRESSED[suffix](TEXT) + b"not compressed")
    assert content == TEXT
    assert note == f"what follows {len(TEXT):,} bytes is no compressed data and was not read"


def test_frames_that_zstd_passes_over_are_passed_over() -> None:
    skippable = b"\x50\x2a\x4d\x18\x04\0\0\0abcd"  # as pzstd writes them
    assert decoded(skippable + COMPRESSED["zst"](TEXT) + skippable + COMPRESSED["zst"](TEXT)) == (TEXT + TEXT, None)


@pytest.mark.parametrize("suffix", COMPRESSED)
@COSTLY
@given(share=st.floats(0, 1, exclude_max=True))
def test_a_stream_cut_anywhere_gives_what_stands_before_the_cut(suffix: str, share: float) -> None:
    compressed = COMPRESSED[suffix](TEXT)
    cut = max(6, int(share * len(compressed)))
    content, note = decoded(compressed[:cut])
    assert TEXT.startswith(content)
    if len(content) < len(TEXT):
        assert note == f"the compressed data end early after {len(content):,} bytes"


@pytest.mark.parametrize("suffix", COMPRESSED)
@COSTLY
@given(share=st.floats(0, 1, exclude_max=True), value=st.integers(1, 255))
def test_a_damaged_stream_never_raises_and_is_reported(suffix: str, share: float, value: int) -> None:
    compressed = bytearray(COMPRESSED[suffix](TEXT))
    at = 6 + int(share * (len(compressed) - 6))
    compressed[at] ^= value
    content, note = decoded(bytes(compressed))
    assert content == TEXT or note is not None


def test_what_stands_well_before_a_damage_is_read() -> None:
    text = TEXT * 20
    compressed = bytearray(COMPRESSED["gz"](text))
    compressed[len(compressed) // 2 : len(compressed) // 2 + 40] = b"\xff" * 40
    content, note = decoded(bytes(compressed))
    assert note is not None
    assert content[:1000] == text[:1000]
    assert len(content) > len(text) // 4


def test_a_bomb_is_stopped() -> None:
    limits = Limits(free_bytes=MEBIBYTE)
    content, note = decoded(COMPRESSED["gz"](bytes(50 * MEBIBYTE)), limits)
    assert MEBIBYTE < len(content) < 10 * MEBIBYTE
    assert note is not None
    assert "more than 200 times the compressed data" in note


def test_more_than_is_ever_unpacked_is_stopped() -> None:
    content, note = decoded(COMPRESSED["xz"](NOISE), Limits(content_bytes=1000))
    assert 1000 < len(content) < len(NOISE)
    assert note is not None
    assert "more than haledger unpacks" in note


def test_a_dictionary_larger_than_memory_is_not_allocated() -> None:
    compressed = bytearray(lzma.compress(TEXT, lzma.FORMAT_XZ, lzma.CHECK_NONE))
    compressed[6 + 8 + 2] = 0  # breaks the head's checksum as well: refused either way
    assert decoded(bytes(compressed))[0] == b""
    huge = lzma.compress(TEXT, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 29}])
    assert decoded(huge) == (b"", "the compressed data are damaged after 0 bytes")


def test_time_in_the_head_of_gzip() -> None:
    import gzip

    assert gzip_time(gzip.compress(b"x", mtime=1_059_400_000)) == 1_059_400_000
    assert gzip_time(gzip.compress(b"x", mtime=0)) is None
    assert gzip_time(COMPRESSED["xz"](b"x")) is None
    assert gzip_time(b"\x1f\x8b\x08") is None


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("messages.1.gz", "messages.1"),
        ("m.ZST", "m"),
        ("a/m.xz", "a/m"),
        ("m.Z", "m"),
        ("gz", "gz"),
        ("m.gz.1", "m.gz.1"),
    ],
)
def test_names_without_what_a_compressor_adds(name: str, bare: str) -> None:
    assert without_suffix(name) == bare
