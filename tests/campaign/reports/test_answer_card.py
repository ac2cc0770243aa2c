"""The answer card of every sample, checked sentence by sentence by a program that reads the store alone."""

import re
from pathlib import Path

import duckdb
import pytest

from reports.document.report import write_report
from samples.files import SAMPLES
from tests.support.answer_card import sentences_of, wrong
from tests.support.sample import STUDIES, made_once, sample_report, sample_store

NAMES = [*STUDIES, *sorted(f"leaders/{each.name}" for each in (SAMPLES / "leaders").iterdir() if each.is_dir())]


def card_and_store(name: str, factory: pytest.TempPathFactory) -> tuple[dict[str, list[str]], Path]:
    """What the page of a sample opens with."""
    store = sample_store(name, factory)

    def write(folder: Path) -> None:
        write_report(store, folder, formats=["html"])

    page = sample_report(name, factory) if name in STUDIES else made_once(f"page of {name}", factory, write)
    return sentences_of((page / "report.html").read_text(encoding="utf-8")), store


@pytest.mark.parametrize("name", NAMES)
def test_each_sentence_is_in_the_store(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    card, store = card_and_store(name, tmp_path_factory)
    with duckdb.connect(store, read_only=True) as con:
        assert wrong(card, con) == []


def test_a_number_that_is_off_is_noticed(tmp_path_factory: pytest.TempPathFactory) -> None:
    card, store = card_and_store("failover-modern", tmp_path_factory)
    (sentence,) = card["Result"]
    with duckdb.connect(store, read_only=True) as con:
        for place in re.finditer(r"\d+\.\d", sentence):
            other = f"{sentence[: place.start()]}{float(place[0]) + 0.3:.1f}{sentence[place.end() :]}"
            assert wrong(card | {"Result": [other]}, con) != [], other
