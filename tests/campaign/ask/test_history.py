"""Stores in the order of time, and a study against an earlier one: truths known from the numbers put in."""

import shutil
import tarfile
from pathlib import Path

import duckdb
import pytest

from pipeline.ask.compare.history import history
from pipeline.ask.compare.studies import against_earlier
from pipeline.errors import UsageError
from pipeline.ingest.ingest import ingest
from pipeline.store.locate import last_store
from reports.answers import history as written
from reports.document.report import write_report

RECORDED = Path(__file__).parents[3] / "samples" / "leaders" / "keepalived-haproxy" / "baseline.tar.xz"
SAME = [100.0, 102.0, 98.0, 101.0, 99.0]
SLOWER = [80.0, 82.0, 78.0, 81.0, 79.0]


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("nights")
    nights = {"night1": {"a": SAME, "old": SAME}, "night2": {"a": SAME[::-1]}, "night3": {"a": SLOWER, "new": SAME}}
    return [_store(folder / name, samples) for name, samples in nights.items()]


def _store(folder: Path, samples: dict[str, list[float]]) -> Path:
    folder.mkdir()
    lines = [f"{name},{run},8,60,{value}" for name, values in samples.items() for run, value in enumerate(values, 1)]
    (folder / "results.csv").write_text("\n".join(["config,run,clients,duration_s,tps", *lines]) + "\n")
    store = folder.with_suffix(".duckdb")
    ingest(folder, store)
    return store


def test_a_drift_is_seen_where_it_is_and_nowhere_else(stores: list[Path]) -> None:
    (series,) = history(stores, "tps", "a").series
    assert [(each.study, each.runs, each.mean) for each in series.points] == [
        ("night1", 5, 100.0),
        ("night2", 5, 100.0),
        ("night3", 5, 80.0),
    ]
    assert [each.is_drift for each in series.points] == [False, False, True]
    assert [each.ratio for each in series.points] == [None, pytest.approx(1.0), pytest.approx(0.8)]
    assert series.points[2].verdict == series.points[2].change
    assert series.points[2].verdict.startswith("20.0 % less (95 % CI")
    assert all(each.ci95_low is not None and each.ci95_low < each.mean for each in series.points)
    rows = written.csv([series]).splitlines()
    assert [line.split(",")[-2] for line in rows] == ["is_different", "false", "false", "true"]
    assert [line[:1] for line in written.lines([series])][2:5] == [" ", " ", "*"]
    page = written.page([series])
    assert ("http://" in page.replace("http://www.w3.org", ""), page.count("<tr>")) == (False, 4)


def test_studies_without_a_failover_are_compared_in_all_that_they_measured(stores: list[Path]) -> None:
    named = history(stores, "tps").series
    assert (len(named), history(stores).series) == (3, named)


def test_names_that_no_store_has_are_refused_with_the_nearest(stores: list[Path]) -> None:
    with pytest.raises(UsageError, match="did you mean tps"):
        history(stores, "tpss")
    with pytest.raises(UsageError, match="no configuration of these stores; known: a, old, new"):
        history(stores, "tps", "zzz")


def test_of_several_configurations_each_is_compared_with_its_namesake(stores: list[Path]) -> None:
    first, _, last = stores
    found = against_earlier(last, first)
    assert (found.name, [*found.comparisons], found.only_here, found.only_earlier) == (
        "night1",
        ["a"],
        ("new",),
        ("old",),
    )
    (pair,) = [each for each in found.comparisons["a"].pairs if each.item == "tps"]
    assert [pair.difference, pair.ratio] == pytest.approx([-20, 0.8])


def test_what_one_study_alone_has_is_named(stores: list[Path]) -> None:
    own = ("not compared: night1 alone has old: tps", "not compared: night3 alone has new: tps")
    assert history(stores, "tps").notes == own


@pytest.mark.slow
def test_a_study_that_is_a_copy_is_left_out_and_a_run_that_is_one_is_named(tmp_path: Path) -> None:
    with tarfile.open(RECORDED) as archive:
        archive.extractall(tmp_path, filter="data")
    nights = {"monday": (1, 2, 3), "again": (1, 2, 3), "copied": (6, 7, 6), "more": (2, 3, 4)}
    for name, originals in nights.items():
        for run, original in enumerate(originals, 4):
            shutil.copytree(tmp_path / "baseline" / f"run{original:02}", tmp_path / name / f"run{run:02}")
        ingest(tmp_path / name, tmp_path / f"{name}.duckdb")
    monday, again, *others = (tmp_path / f"{name}.duckdb" for name in nights)
    found = history([monday, again, *others, monday], "client_outage_s")
    assert found.notes == (
        f"left out: {again} is a copy: monday ({monday}) has all its runs",
        "2 of 3 runs of more are runs of monday too, and count in both",
        f"left out: {monday} is a copy: monday ({monday}) has all its runs",
    )
    (series,) = found.series
    said = "copied: 1 set aside: run06: the same as `copied/run04`, which counts"
    assert [(each.study, len(each.set_aside)) for each in series.points if each.set_aside] == [("copied", 1)]
    assert said in written.lines([series])
    assert f"<p>{said}</p>" in written.page([series])


def test_the_last_report_of_a_study_is_another_one_else_its_own(stores: list[Path], tmp_path: Path) -> None:
    own, other = tmp_path / "night1-report", tmp_path / "friday-report"
    assert last_store("night1", own) is None
    for folder, store in ((own, stores[0]), (tmp_path / "strange-report", stores[1])):
        folder.mkdir()
        (folder / "haledger.duckdb").write_bytes(store.read_bytes())
    assert last_store("night1", own) == own / "haledger.duckdb"
    other.mkdir()
    (other / "haledger.duckdb").write_bytes(stores[0].read_bytes())
    assert last_store("night1", own) == other / "haledger.duckdb"


def test_other_tables_keep_their_numbers_beside_an_earlier_study(stores: list[Path], tmp_path: Path) -> None:
    first, _, last = stores
    for name, against in (("alone", None), ("beside", first)):
        write_report(last, tmp_path / name, formats=("tables",), against=against)
    captions = {
        name: {each.name: each.read_text().split("\n")[0] for each in (tmp_path / name / "tables").glob("*.md")}
        for name in ("alone", "beside")
    }
    assert captions["alone"].items() <= captions["beside"].items()
    assert captions["beside"].keys() - captions["alone"].keys() == {"earlier.md"}
    text = (tmp_path / "beside" / "tables" / "earlier.md").read_text().replace("\N{NO-BREAK SPACE}", " ")
    assert "20.0 % less" in text
    assert "only this study has it: new." in text
    assert "only the earlier one has it: old." in text


def test_what_else_differs_is_listed(stores: list[Path], tmp_path: Path) -> None:
    copies = []
    for number, store in enumerate((stores[2], stores[0])):
        copy = tmp_path / f"copy{number}.duckdb"
        copy.write_bytes(store.read_bytes())
        with duckdb.connect(str(copy)) as con:
            con.execute("drop view environment")
            con.execute(
                "create table environment as select 'a' as configuration, 'os' as subject, 'release' as name, "
                "$v as value",
                {"v": f"6.{number}"},
            )
        copies.append(copy)
    (condition,) = against_earlier(copies[0], copies[1]).conditions
    assert (condition.configuration, condition.name, condition.earlier, condition.value) == (
        "a",
        "os release",
        "6.1",
        "6.0",
    )
