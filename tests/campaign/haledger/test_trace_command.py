"""`haledger trace` and `compare` as a person or a script meets them: choices, hostile logs, logs that moved."""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.command import Outcome, haledger
from tests.support.sample import sample_store

HOSTILE = "\x1b]0;owned\x07 [red] {{7*7}} \u202e<script>"
TPS = {"on": (100.5, 102.5, 97.5), "off": (150.0, 152.0, 148.0)}

Run = Callable[..., Outcome]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def run_command(*arguments: str, **environment: str) -> Outcome:
        return haledger(*arguments, cwd=tmp_path, environment={"PATH": "", **environment})

    return run_command


def pgbench(tps: float) -> str:
    return (
        f"{HOSTILE}\nscaling factor: 10\nquery mode: simple\nnumber of clients: 4\nnumber of threads: 2\n"
        "duration: 30 s\n"
        f"number of transactions actually processed: {tps * 30:.0f}\nlatency average = 1.1 ms\n"
        f"tps = {tps:.6f} (without initial connection time)\n"
    )


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of two configurations, and its store beside it."""
    folder = tmp_path_factory.mktemp("trace")
    for configuration, values in TPS.items():
        for number, tps in enumerate(values, 1):
            place = folder / "logs" / configuration / f"run{number}"
            place.mkdir(parents=True)
            (place / "pgbench.txt").write_text(pgbench(tps))
    (folder / "logs" / "study.toml").write_text('[study]\nreference = "on"\n[configuration.on]\n[configuration.off]\n')
    outcome = haledger("ingest", "logs", cwd=folder)
    assert outcome.returncode == 0, outcome.stderr
    return folder


@pytest.fixture
def logs(ingested: Path) -> Iterator[Path]:
    """The study for a test that may change it and its store; in the same place, by which a store knows its study."""
    kept = ingested.with_name("kept")
    shutil.copytree(ingested, kept)
    yield ingested / "logs"
    shutil.rmtree(ingested)
    kept.rename(ingested)


@pytest.fixture
def tmp_path(logs: Path) -> Path:
    """The folder of the study and its store."""
    return logs.parent


ASKED = ("trace", "measurement_stats", "configuration=on,metric=tps", "mean")


def test_a_mean_leads_to_file_line_and_text_of_each_run(run: Run, logs: Path) -> None:
    outcome = run(*ASKED)
    assert (outcome.returncode, outcome.stderr) == (0, "")
    for number, tps in enumerate(TPS["on"], 1):
        assert f"on/run{number}/pgbench.txt:9" in outcome.stdout
        assert f"> 9  tps = {tps:.6f} (without initial connection time)" in outcome.stdout
        assert "  8  latency average = 1.1 ms" in outcome.stdout
    digest = hashlib.sha256((logs / "on/run1/pgbench.txt").read_bytes()).hexdigest()
    assert f"on/run1/pgbench.txt  SHA-256 {digest}  unchanged since it was read" in outcome.stdout
    assert "SQL of measurement_stats" in outcome.stdout
    assert "mean of the values below 100.16666666666667" in outcome.stdout


def test_json_is_complete(run: Run, logs: Path) -> None:
    outcome = run(*ASKED, "--json")
    found = json.loads(outcome.stdout)
    assert outcome.returncode == 0
    assert found["values"] == {"mean": pytest.approx(sum(TPS["on"]) / 3)}
    assert [each["value"] for each in found["runs"]] == list(TPS["on"])
    (line,) = found["runs"][0]["lines"]
    assert (line["path"], line["line_no"]) == ("on/run1/pgbench.txt", 9)
    assert line["text"].startswith("tps = 100.5")
    assert {each["state"] for each in found["files"]} == {"as read"}
    assert "per_run" in found["sql"]["measurement_stats"]
    assert str(logs) not in outcome.stdout


@pytest.mark.usefixtures("logs")
def test_a_ratio_leads_to_the_runs_of_both(run: Run) -> None:
    outcome = run("trace", "measurement_ratio", "configuration=off,metric=tps", "relative_ratio", "--json")
    runs = json.loads(outcome.stdout)["runs"]
    assert [(each["configuration"], each["value"]) for each in runs] == [
        *(("off", tps) for tps in TPS["off"]),
        *(("on", tps) for tps in TPS["on"]),
    ]


@pytest.mark.usefixtures("logs")
def test_a_cell_of_a_report_table_by_label_and_heading(run: Run) -> None:
    outcome = run("trace", "measurements", "transactions per second, 4 clients / off", "Mean")
    assert outcome.returncode == 0, outcome.stderr
    assert "printed     150 ± 2\n" in outcome.stdout
    assert "off/run2/pgbench.txt:9" in outcome.stdout


def test_runs_of_another_kind_of_fault_are_set_aside_for_it(run: Run, tmp_path_factory: pytest.TempPathFactory) -> None:
    store = str(sample_store("leaders/redis-sentinel", tmp_path_factory))
    asked = ("trace", "milestone_stats", "configuration=baseline,milestone=ready", "mean_s", "--db", store, "--json")
    runs = json.loads(run(*asked).stdout)["runs"]
    aside = sorted(each["reason"] for each in runs if not each["is_used"])
    assert aside == [f"another kind of fault, {kind}" for kind in ("kill", "kill", "network cut", "planned switchover")]


@pytest.mark.usefixtures("logs")
def test_log_text_cannot_drive_the_terminal(run: Run) -> None:
    outcome = run(*ASKED, "--context", "20")
    assert r"\x1b]0;owned\x07 [red] {{7*7}} \u202e<script>" in outcome.stdout
    assert "\x1b" not in outcome.stdout


def test_of_a_study_that_is_gone_the_store_shows_what_it_keeps(run: Run, logs: Path) -> None:
    shutil.move(logs, logs.with_name("elsewhere"))
    outcome = run(*ASKED)
    assert outcome.returncode == 0
    assert "the store keeps of it: tps = 100.5 1/s" in outcome.stdout
    assert "not found: --study says where the logs are now" in outcome.stdout
    again = run(*ASKED, "--study", "elsewhere")
    assert "> 9  tps = 100.500000" in again.stdout
    assert "unchanged since it was read" in again.stdout


def test_a_file_that_changed_is_said_to_have_changed(run: Run, logs: Path) -> None:
    (logs / "on/run1/pgbench.txt").write_text(pgbench(999.0))
    outcome = run(*ASKED)
    assert "CHANGED since it was read" in outcome.stdout
    assert "the store keeps of it: tps = 100.5 1/s" in outcome.stdout
    assert "> 9  tps = 999.000000" in outcome.stdout


@pytest.mark.usefixtures("logs")
def test_a_path_out_of_the_study_is_not_followed(run: Run, tmp_path: Path) -> None:
    import duckdb

    (tmp_path / "secret.txt").write_text("\n" * 8 + "the secret\n")
    with duckdb.connect(str(tmp_path / "haledger.duckdb")) as con:
        con.execute("update main.source_file set path = '../secret.txt' where path = 'on/run1/pgbench.txt'")
    outcome = run(*ASKED)
    assert outcome.returncode == 0
    assert "the secret" not in outcome.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param(("measuremets", "1", "1"), 2, "did you mean measurements?", id="a table"),
        pytest.param(("measurements", "of", "Mean"), 2, "rows: ", id="a row"),
        pytest.param(("measurements", "off", "Mean"), 2, "rows of measurements have this name", id="several rows"),
        pytest.param(("measurements", "99", "Mean"), 2, "or a number from 1 to", id="a row number"),
        pytest.param(("measurements", "1", "Maen"), 2, "did you mean Mean?", id="a column"),
        pytest.param(("measurement_stats", "configuration=on,metric=tps", "maen"), 2, "did you mean mean?", id="value"),
        pytest.param(
            ("measurement_stats", "configuration=zz", "mean"), 2, "configuration: off, on", id="no such value"
        ),
        pytest.param(("measurement_stats", "configuration=on", "mean"), 2, "add a value of metric", id="several"),
        pytest.param(("measurement_stats", "on", "mean"), 2, "column=value", id="not written as a row"),
        pytest.param(("measurement_stats", "colour=red", "mean"), 2, "no column of measurement_stats", id="a key"),
        pytest.param(("x'; drop table run; --", "1", "1"), 2, "no table of the report", id="hostile"),
        pytest.param(("run", "run=' or true --", "used"), 2, "no such row", id="hostile value"),
        pytest.param((*ASKED[1:], "--study", "nowhere"), 2, "nowhere: no such file or folder", id="a study"),
        pytest.param((*ASKED[1:], "--db", "nowhere"), 4, "nowhere: no such store", id="a store"),
    ],
)
@pytest.mark.usefixtures("logs")
def test_what_is_not_there_is_reported_with_the_choices(
    run: Run, arguments: tuple[str, ...], code: int, message: str
) -> None:
    outcome = run("trace", *arguments)
    assert outcome.returncode == code
    assert outcome.stdout == ""
    assert message in outcome.stderr
    assert "Traceback" not in outcome.stderr


def test_an_empty_store_has_nothing_to_trace_or_compare(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "note.txt").write_text("nothing here\n")
    assert run("ingest", "empty", "--replace").returncode == 3
    outcome = run("trace", "milestone_stats", "configuration=a", "mean_s")
    assert outcome.returncode == 2
    assert "no such row in milestone_stats" in outcome.stderr
    compared = run("compare", "a", "b")
    assert compared.returncode == 2
    assert "configurations: none" in compared.stderr
