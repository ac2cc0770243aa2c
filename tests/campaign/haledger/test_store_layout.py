"""A store whose lines are in Parquet files holds what any store does, whatever becomes of these files meanwhile."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest

from pipeline.ingest.ingest import ingest
from pipeline.ingest.layout import Layout
from pipeline.store import part, store
from tests.support.clock_cases import Case
from tests.support.command import Outcome, haledger
from tests.support.failover_logs import one_failover, write_timers
from tests.support.ingest_study import ENGINE, NOW, age
from tests.support.same_rows import OF_LAYOUT, comments, different
from tests.support.sample import sample_store

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[3]
SAMPLES = ROOT / "samples"
SAMPLE = SAMPLES / "failover-modern"
ROW = ("milestone_stats", "configuration=default,milestone=complete")
CHOSEN = os.environ.get("HALEDGER_LAYOUT_SAMPLES", "drbd-2005 failover-2004").split()
"""Samples to be compared in both layouts; `all` for every one."""


def in_parts(study: Path, db: Path, folder: Path) -> None:
    ingest(study, db, now=NOW, layout=Layout("parquet", folder))


def in_file(study: Path, db: Path) -> Path:
    ingest(study, db, now=NOW, layout=Layout("duckdb"))
    return db


def parts_of(db: Path) -> dict[str, bytes]:
    """The content of the parts of a store by their path; there are no other files beside them."""
    with store.opened(db) as con:
        parts, folder = part.listed(con), store.info(con, db).parts
    assert {each.path for each in parts} == {str(each) for each in Path(folder).rglob("*") if each.is_file()}
    return {each.path: Path(each.path).read_bytes() for each in parts}


def ask(db: Path, *arguments: str | Path) -> Outcome:
    return haledger(*arguments, "--db", db, cwd=db.parent)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of a sample in parts; nobody may change it."""
    folder = tmp_path_factory.mktemp("kept")
    in_parts(SAMPLE, folder / "kept.duckdb", folder / "parts")
    return folder / "kept.duckdb"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A store of the same in a place of its own."""
    db = tmp_path / "own.duckdb"
    in_parts(SAMPLE, db, tmp_path / "parts")
    return db


@pytest.mark.parametrize(
    "name", sorted(each.name for each in SAMPLES.iterdir() if each.is_dir()) if CHOSEN == ["all"] else CHOSEN
)
def test_relations_and_comments_are_those_of_one_file_bit_for_bit(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    db = tmp_path / "parts.duckdb"
    expected = sample_store(name, tmp_path_factory)
    ingest(SAMPLES / name, db, layout=Layout("parquet", tmp_path / "parts"))
    for threads in (1, 2, 4):
        assert different(expected, db, threads, has_views=threads == 4) == []
    assert comments(db) == comments(expected)


# --- histories -------------------------------------------------------------------------------------------------------


def grow(study: Path) -> None:
    with (study / "z/run1/engine_A.log").open("a") as file:
        file.write(ENGINE.format(second=58))


def add_before(study: Path) -> None:
    (study / "a").mkdir()
    (study / "a/engine_A.log").write_text(ENGINE.format(second=1).replace("V-16-1-10077", "V-16-1-10079"))


def remove(study: Path) -> None:
    (study / "m/run1/engine_A.log").unlink()


def zone(study: Path) -> None:
    (study / "study.toml").write_text('[study]\ntimezone = "Asia/Tokyo"\n')


def test_any_history_gives_the_same_store_and_keeps_the_parts_of_unchanged_files(tmp_path: Path) -> None:
    """Files that come one by one lie in parts of their own, so that a part is of one history."""
    study, db, folder = tmp_path / "study", tmp_path / "a.duckdb", tmp_path / "parts"
    for second, name in enumerate(("z", "m"), 2):
        (study / name / "run1").mkdir(parents=True)
        lines = "".join(ENGINE.format(second=each) for each in range(second, 50, 3))
        (study / name / "run1/engine_A.log").write_text(
            lines + ENGINE.format(second=58).replace("10077", f"1007{second}")
        )
        age(study)
        in_parts(study, db, folder)
    assert len(events(parts_of(db))) == 2
    steps: list[tuple[Callable[[Path], None], int]] = [(grow, 1), (add_before, 2), (remove, 2), (zone, 0)]
    for number, (change, left) in enumerate(steps):
        before = parts_of(db)
        change(study)
        age(study)
        in_parts(study, db, folder)
        after = parts_of(db)
        assert len(events(before).keys() & events(after).keys()) == left, change
        assert different(in_file(study, tmp_path / f"{number}.duckdb"), db) == [], change
        assert haledger("verify", db, "--study", study, cwd=tmp_path).returncode == 0, change
    in_parts(study, db, folder)
    assert parts_of(db) == after


def events(parts: dict[str, bytes]) -> dict[str, bytes]:
    return {path: content for path, content in parts.items() if "/vcs_event_line/" in path}


def test_files_that_share_a_part_with_a_changed_one_keep_their_rows(tmp_path: Path) -> None:
    study, db = tmp_path / SAMPLE.name, tmp_path / "a.duckdb"
    shutil.copytree(SAMPLE, study)
    in_parts(study, db, tmp_path / "parts")
    for log in sorted(study.rglob("engine_A.log"))[:2]:
        log.write_text(log.read_text() + ENGINE.format(second=59))
    more = study / "a-first" / "engine_A.log"
    more.parent.mkdir()
    more.write_text(ENGINE.format(second=1))
    in_parts(study, db, tmp_path / "parts")
    parts_of(db)
    assert different(in_file(study, tmp_path / "b.duckdb"), db) == []


def test_times_that_were_moved_are_those_of_one_file(tmp_path: Path) -> None:
    study, db, folder = tmp_path / "study", tmp_path / "a.duckdb", tmp_path / "parts"
    case = Case(1, step_s=-40.0, line="ntpd[412]: time reset {:+.6f} s", has_uptime=True, engine_s=3600.0)
    for name, content in case.logs().items():
        (study / "x/run1").mkdir(parents=True, exist_ok=True)
        (study / "x/run1" / name).write_text("\n".join(content) + "\n")
    write_timers(study / "x")
    in_parts(study, db, folder)
    expected = in_file(study, tmp_path / "b.duckdb")
    assert different(expected, db) == []
    with store.opened(db) as con:
        assert con.execute("select count(*) > 0 from log.clock_correction where shift_s <> 0").fetchall() == [(True,)]
    (study / "x/run2").mkdir()
    (study / "x/run2/engine_A.log").write_text(ENGINE.format(second=1))
    in_parts(study, db, folder)
    assert different(in_file(study, tmp_path / "c.duckdb"), db) == []
    parts_of(db)


def test_a_store_changes_its_layout_and_remembers_it(tmp_path: Path) -> None:
    db, folder = tmp_path / "a.duckdb", tmp_path / "parts"
    in_parts(SAMPLE, db, folder)
    before = parts_of(db)
    ingest(SAMPLE, db)
    assert parts_of(db) == before
    copied = Path(shutil.copy(db, tmp_path / "b.duckdb"))
    ingest(SAMPLE, copied, now=NOW)
    assert not before.keys() & parts_of(copied).keys()
    assert parts_of(db) == before
    ingest(SAMPLE, db, now=NOW, layout=Layout("duckdb"))
    assert not any(map(os.path.exists, before))
    assert different(db, copied) == []


# --- failures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("has_old", [False, True])
def test_a_killed_ingest_leaves_nothing_that_is_seen(tmp_path: Path, *, has_old: bool) -> None:
    """While the first part is written, and while further ones are; `has_old`: beside those of the store before."""
    study, db, folder = tmp_path / SAMPLE.name, tmp_path / "a.duckdb", tmp_path / "parts"
    shutil.copytree(SAMPLE, study)
    if has_old:
        in_parts(study, db, folder)
        log = min(study.rglob("engine_A.log"))
        log.write_text(log.read_text() + ENGINE.format(second=59))
    before = parts_of(db) if has_old else {}
    options = ("--store-layout", "parquet", "--parts", str(folder))
    command = [sys.executable, "-m", "haledger", "ingest", str(study), "--db", str(db), *options]
    for count in (1, 2) if has_old else (1, 8):
        begin = time.time_ns()
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
            while process.poll() is None and written_since(begin, folder) < count:
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL
        assert written_since(begin, folder) > 0
        if has_old:
            assert all(Path(path).read_bytes() == content for path, content in before.items())
            with duckdb.connect(str(db), read_only=True) as con:
                assert {each.path for each in part.listed(con)} == before.keys()
        else:
            assert not db.exists()
    in_parts(study, db, folder)
    parts_of(db)
    assert different(in_file(study, tmp_path / "b.duckdb"), db) == []


def written_since(begin: int, folder: Path) -> int:
    """How many files were written since; a part of the same content takes the place of one that was left."""
    written = 0
    for each in folder.rglob("*.*"):
        with suppress(FileNotFoundError):
            written += each.is_file() and each.stat().st_mtime_ns >= begin
    return written


def lose(path: Path) -> None:
    path.unlink()


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def test_a_part_that_is_missing_or_damaged_is_named(own: Path, tmp_path: Path) -> None:
    path = Path(next(each for each in parts_of(own) if "/vcs_event_line/" in each))
    content, stamp = path.read_bytes(), path.stat().st_mtime_ns
    asked = (
        ("sql", "select count(*) from event"),
        ("trace", *ROW, "mean_s"),
        ("verify", own),
        ("ingest", SAMPLE, "--db", own),
        ("export", "-o", tmp_path / "out"),
    )
    for harm in (lose, cut, flip):
        harm(path)
        for arguments in asked:
            db = () if arguments[0] in {"verify", "ingest"} else ("--db", own)
            found = haledger(*arguments, *db, cwd=tmp_path)
            assert (found.returncode, str(path) in found.stderr) == (4, True), (harm, arguments, found.stderr)
            assert "Traceback" not in found.stderr
        path.write_bytes(content)
    assert ask(own, "sql", "select count(*) from event").returncode == 0  # another time stamp, the same content
    flip(path)
    os.utime(path, ns=(stamp, stamp))
    verified = haledger("verify", own, "--json", cwd=tmp_path)
    assert verified.returncode == 5
    assert [each["check"] for each in json.loads(verified.stdout)["checks"] if each["holds"] is False] == ["parts"]
    assert str(path) in verified.stdout
    options = ("--replace", "--store-layout", "parquet", "--parts", tmp_path / "parts")
    assert haledger("ingest", SAMPLE, "--db", own, *options, cwd=tmp_path).returncode == 0
    assert path.read_bytes() == content


# --- asking ----------------------------------------------------------------------------------------------------------


def test_statements_read_the_parts_and_no_other_file(own: Path, tmp_path: Path) -> None:
    path = Path(next(iter(parts_of(own))))
    content = path.read_bytes()
    other = Path(shutil.copy(path, path.with_name("other.parquet")))
    (tmp_path / "secret.csv").write_text("a\n1\n")
    assert ask(own, "sql", "select count(*) from event").returncode == 0
    refused = (
        f"from read_parquet('{other}')",
        f"from read_parquet('{path.parent}/*.parquet')",
        f"from read_text('{tmp_path / 'secret.csv'}')",
        f"from read_text('{path.parent}/../../secret.csv')",
        f"from '{tmp_path / 'secret.csv'}'",
        "from read_text('/etc/passwd')",
        f"from glob('{path.parent}/*')",
        f"explain analyze copy (select 1) to '{path}' (use_tmp_file false)",
        f"EXPLAIN (analyze, format json) copy (select 1) to '{path}' (use_tmp_file false)",
        f"/* ä */ explain -- x\nanalyze copy (select 1) to '{path}' (use_tmp_file false)",
        f"copy (select 1) to '{path}' (use_tmp_file false)",
        f"attach '{path}' as x",
        "set allowed_paths = ['/etc/passwd']",
        "reset enable_external_access",
    )
    for sql in refused:
        found = ask(own, "sql", sql)
        assert (found.returncode, found.stdout) == (2, ""), (sql, found.stdout, found.stderr)
    assert path.read_bytes() == content
    assert ask(own, "sql", "explain analyze (select count(*) from event)").returncode == 0
    assert ask(own, "sql", "explain (analyze, format json) select 1").returncode == 0


def test_commands_answer_as_from_one_file(kept: Path, tmp_path: Path) -> None:
    expected = in_file(SAMPLE, tmp_path / "b.duckdb")
    for arguments in (
        ("sql", "select * from milestone order by all", "--format", "csv"),
        ("trace", *ROW, "mean_s", "--study", SAMPLE),
    ):
        answers = [haledger(*arguments, "--db", db, cwd=tmp_path) for db in (kept, expected)]
        assert answers[0].returncode == 0, answers[0].stderr
        assert answers[0].stdout == answers[1].stdout
    verified = haledger("verify", kept, "--study", SAMPLE, cwd=tmp_path)
    assert (verified.returncode, "Parquet files" in verified.stdout) == (0, True), verified.stdout


def test_a_report_and_an_anonymous_study_have_the_layout_too(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    options = ("-o", folder, "--anonymise", "--accept", "--store-layout", "parquet", "--parts", tmp_path / "parts")
    made = haledger("report", one_failover(tmp_path / "one"), *options, cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    first = parts_of(folder / "haledger.duckdb")
    again = haledger("report", tmp_path / "one-anonymous", "-o", folder, cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert parts_of(folder / "haledger.duckdb") == first
    next(map(Path, first)).unlink()
    lost = haledger("report", tmp_path / "one-anonymous", "-o", folder, cwd=tmp_path)
    assert (lost.returncode, next(iter(first)) in lost.stderr) == (4, True), lost.stderr


def test_options_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    for options in (
        ("--store-layout", "parquet"),
        ("--parts", "here"),
        ("--store-layout", "duckdb", "--parts", "here"),
        ("--store-layout", "parquet", "--parts", SAMPLE / "study.toml"),
        ("--store-layout", "parquet", "--parts", "a*b"),
    ):
        refused = haledger("ingest", SAMPLE, *options, cwd=tmp_path)
        assert (refused.returncode, "--parts" in refused.stderr) == (2, True), options
    inside = ("-o", "out", "--store-layout", "parquet", "--parts", "out/parts")
    assert haledger("report", SAMPLE, *inside, cwd=tmp_path).returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_lines_outside_a_span_of_time_are_not_in_the_parts(tmp_path: Path) -> None:
    since, until = "2024-11-13", "2024-11-19 22:00"
    for name, layout in (("a", Layout("parquet", tmp_path / "parts")), ("b", Layout("duckdb"))):
        ingest(SAMPLE, tmp_path / f"{name}.duckdb", now=NOW, layout=layout, since=since, until=until)
    assert different(tmp_path / "b.duckdb", tmp_path / "a.duckdb") == []
    parts_of(tmp_path / "a.duckdb")


def test_parts_within_the_study_are_not_read(tmp_path: Path) -> None:
    study = tmp_path / "study"
    study.mkdir()
    (study / "engine_A.log").write_text(ENGINE.format(second=1))
    for _ in range(2):
        made = haledger("ingest", study, "--store-layout", "parquet", "--parts", study / "parts", cwd=tmp_path)
        assert made.returncode == 0, made.stderr
    with store.opened(tmp_path / "haledger.duckdb") as con:
        assert con.execute("select path from main.source_file").fetchall() == [("engine_A.log",)]
    assert haledger("verify", "haledger.duckdb", "--study", study, cwd=tmp_path).returncode == 0
    assert {"log.part", "main.store_info"} <= OF_LAYOUT
