"""Damaged files of every format end neither recognition nor parsing; `python -m bench.mutants` tries 100,000."""

from dataclasses import replace

import pytest

from bench.growth.seeds import seeds
from bench.mutants import trial
from bench.mutants.trial import faults
from parsers.format import Parsed, formats

COUNT = 1_000


@pytest.mark.slow
def test_damaged_files_end_nothing() -> None:
    assert [f"{each.format}: {each.what}" for each in faults(seeds(6), COUNT, 2026)] == []


def test_a_parser_that_raises_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def brittle(lines: object) -> Parsed:
        raise ValueError(lines)

    monkeypatch.setitem(formats(), "gabtab", replace(formats()["gabtab"], parse=brittle))
    found = list(faults({"gabtab": [b"/sbin/gabconfig -c -n2\n"]}, trial.AT_A_TIME, 1))
    assert len(found) >= trial.AT_A_TIME // 2
    assert "ValueError" in found[0].what
