"""Damaged main.cf files are read in linear time."""

import pytest

from parsers.vcs.main_cf import parse
from tests.support.message_lines import numbered


@pytest.mark.parametrize("piece", ["{", "(", '"', '\\"', "/*", "= {", "a requires b ", "password ", "A = 1 ", "user "])
def test_a_line_of_one_piece_a_hundred_thousand_times_is_read_in_passing(piece: str) -> None:
    parsed = parse(numbered(["group g (", piece * 100_000, piece]))
    assert parsed.lines.height == 3
