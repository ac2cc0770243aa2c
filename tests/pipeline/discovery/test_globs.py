"""Globs of study.toml: what they match; that none raises. What leaves the study is shown in test_manifest.py."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.discovery.globs import matches


@pytest.mark.parametrize(
    ("path", "glob", "is_match"),
    [
        ("a/b/iostat1.txt", "iostat*.txt", True),
        ("a/b/iostat1.txt", "a/*.txt", False),
        ("a/b/iostat1.txt", "a/*/*.txt", True),
        ("a/b/iostat1.txt", "a/**", True),
        ("a/iostat1.txt", "a/**/iostat?.txt", True),
        ("a/b/c/iostat1.txt", "**/iostat[0-9].txt", True),
        ("iostatx.txt", "iostat[!0-9].txt", True),
        ("iostat1.txt", "iostat[!0-9].txt", False),
        ("iostat1.txt", "IOSTAT*", False),
        ("iostat1xtxt", "iostat1.txt", False),
        ("run[1].txt", "run[[]1].txt", True),
        ("a.tar.gz!/b/m", "a.tar.gz!/**", True),
        ("a.tar.gz!/run01/m", "run01/*", True),
        ("default/a.tar.gz!/run01/m", "default/run01/*", True),
        ("a/iostat1.txt.gz", "iostat?.txt", True),
        ("a/iostat1.txt.gz", "iostat1.txt.gz", True),
        ("a/iostat1.txt.gz", "a/iostat1.txt", True),
        ("a.gz/iostat1.txt", "a/iostat1.txt", False),
        ("z-a", "[z-a]", False),
    ],
)
def test_glob(path: str, glob: str, is_match: bool) -> None:  # noqa: FBT001  a table of cases
    assert matches(path, glob) is is_match


@pytest.mark.parametrize(
    ("path", "is_match"), [("+.log", True), (",.log", True), ("-.log", True), ("*.log", False), ("..log", False)]
)
def test_a_range_that_ends_with_a_hyphen(path: str, is_match: bool) -> None:  # noqa: FBT001  a table of cases
    assert matches(path, "[+--].log") is is_match


@given(st.text(max_size=20), st.text("[]!*?-\\/ab^&~|", max_size=12))
def test_no_glob_raises(path: str, glob: str) -> None:
    assert matches(path, glob) in (True, False)
