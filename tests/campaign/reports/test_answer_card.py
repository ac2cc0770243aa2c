"""The answer card of samples and odd studies, checked sentence by sentence by a program that reads the store alone."""

import re
from pathlib import Path

import duckdb
import pytest

from reports.document.report import write_report
from tests.support.answer_card import sentences_of, wrong
from tests.support.failover_logs import ingested, on_days, slower, write, write_run, write_timers
from tests.support.odd_studies import ODD_STUDIES
from tests.support.sample import LEADERS, STUDIES, sample_report, sample_store


def card_and_store(name: str, factory: pytest.TempPathFactory) -> tuple[dict[str, list[str]], Path]:
    """What the page of a sample opens with."""
    page = sample_report(name, factory) / "report.html"
    return sentences_of(page.read_text(encoding="utf-8")), sample_store(name, factory)


@pytest.mark.parametrize("name", [*STUDIES, *LEADERS, *ODD_STUDIES])
def test_each_sentence_is_in_the_store(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    card, store = card_and_store(name, tmp_path_factory)
    with duckdb.connect(store, read_only=True) as con:
        assert wrong(card, con) == []


@pytest.mark.parametrize(
    ("later_s", "kinds", "said"),
    [
        (
            (9, 0, 9, 0),
            ("power off", "kill -9"),
            "40.3 s after the fault, the mean of 2 runs (power off); kill -9: 49.3 s.",
        ),
        ((0, 0, 0, 0, 0, 800), (), "two modes: 1 run at 840.3 s (14 min), 5 at 40.3 s"),
    ],
)
def test_the_result_has_each_time_that_no_mean_is_of(
    tmp_path: Path, later_s: tuple[int, ...], kinds: tuple[str, ...], said: str
) -> None:
    study = tmp_path / "study"
    for configuration in ("default", "tuned") if not kinds else ("tuned",):
        write_timers(study / configuration)
        for number, seconds in enumerate(later_s, 1):
            later = seconds if configuration == "tuned" else number / 5
            write_run(study / configuration / f"run{number}", slower(later))
    runs = (f'[[run]]\nrun = {n + 1}\nfault = "{kinds[(n + 1) % 2]}"\n' for n in range(len(later_s)) if kinds)
    write(on_days(study) / "study.toml", "".join(runs))
    store = ingested(study).db
    write_report(store, tmp_path / "report", formats=["html"])
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    card = sentences_of(page)
    assert said in " ".join(card["Result"])
    assert bool(kinds) == ("10.3 | 810.3" not in page)  # a step that is late in the same run has no mean either
    with duckdb.connect(store, read_only=True) as con:
        assert wrong(card, con) == []


def test_a_number_that_is_off_is_noticed(tmp_path_factory: pytest.TempPathFactory) -> None:
    card, store = card_and_store("failover-modern", tmp_path_factory)
    (sentence,) = card["Result"]
    with duckdb.connect(store, read_only=True) as con:
        for place in re.finditer(r"\d+\.\d", sentence):
            other = f"{sentence[: place.start()]}{float(place[0]) + 0.3:.1f}{sentence[place.end() :]}"
            assert wrong(card | {"Result": [other]}, con) != [], other
