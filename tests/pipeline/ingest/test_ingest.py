import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.discovery.source import CHANGED
from pipeline.errors import StoreError, UsageError
from pipeline.ingest import writing
from pipeline.reading import file_reading, lines, staging, unit
from pipeline.store import relations
from pipeline.store.relations import RelationError
from tests.support.examples import COSTLY
from tests.support.ingest_study import ENGINE, assert_accounted, files, rows, run, tables

ROOT = Path(__file__).parents[3]


def test_every_entry_is_accounted_for(study: Path, tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    result = run(study, db)
    found = files(db)
    assert {path: (row["status"], row["format"]) for path, row in found.items()} == {
        "core": ("skipped", None),
        "default/run01/sun-ha3/engine_A.log": ("parsed", "vcs_engine"),
        "default/run01/sun-ha3/messages": ("parsed", "syslog"),
        "default/run01/sun-ha4/engine_A.log": ("parsed", "vcs_engine"),
        "default/run01/sun-ha4/messages": ("parsed", "syslog"),
        "default/run02/sun-ha3/engine_A.log": ("parsed", "vcs_engine"),
        "default/run02/sun-ha3/messages": ("parsed", "syslog"),
        "default/run02/sun-ha4/engine_A.log": ("parsed", "vcs_engine"),
        "default/run02/sun-ha4/messages": ("parsed", "syslog"),
        "empty.log": ("skipped", None),
        "notes.txt": ("unrecognised", None),
        "study.toml": ("skipped", None),
    }
    assert [row["file_id"] for _, row in sorted(found.items())] == list(range(1, 13))
    messages = found["default/run02/sun-ha4/messages"]
    assert (messages["configuration"], messages["run"], messages["run_no"], messages["node"]) == (
        "default", "run02", 2, "sun-ha4",
    )  # fmt: skip
    assert (messages["lines"], messages["parsed_lines"], messages["blank_lines"]) == (3, 2, 1)
    # 10:27:05 in Toronto's summer is 14:27:05 UTC; the year stands in the engine log beside it
    assert messages["first_at"] == datetime(2003, 7, 28, 14, 27, 5)  # noqa: DTZ001  naive UTC
    assert (messages["timezone"], messages["timezone_source"]) == ("America/Toronto", "manifest")
    assert messages["year_source"] == "sibling"
    assert found["core"]["reason"] == "binary: an ELF program"
    assert found["empty.log"]["reason"] == "empty"
    assert_accounted(db)
    assert (result.file_count, result.read_count, result.reused_count) == (11, 11, 0)
    assert result.status_counts == {"parsed": 8, "skipped": 2, "unrecognised": 1}
    assert not result.nothing_recognised
    assert json.dumps(result.to_dict())


def test_the_relations_of_the_contract_are_there_with_comments(study: Path, tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    run(study, db)
    bare = rows(
        db,
        "select table_name, column_name from duckdb_columns() where not internal and comment is null "
        "and schema_name in ('main', 'log')",
    )
    assert bare == []
    assert rows(db, "select count(*) from main.syslog_event") == [(8,)]


def test_nothing_recognised_is_reported_and_the_store_written(tmp_path: Path) -> None:
    study = tmp_path / "study"
    study.mkdir()
    (study / "notes.txt").write_text("nothing\n")
    result = run(study, tmp_path / "a.duckdb")
    assert result.nothing_recognised
    assert list(files(tmp_path / "a.duckdb")) == ["notes.txt"]


def test_a_single_file_is_a_study(study: Path, tmp_path: Path) -> None:
    result = run(study / "default" / "run01" / "sun-ha3" / "messages", tmp_path / "a.duckdb")
    assert result.format_counts == {"syslog": 1}


# The second time


@pytest.mark.usefixtures("without_views")
def test_when_nothing_changed_the_store_is_left_as_it_is(study: Path, tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    first = run(study, db)
    before = (db.read_bytes(), db.stat().st_ino)
    second = run(study, db)
    assert (db.read_bytes(), db.stat().st_ino) == before
    assert second.is_unchanged
    assert (second.read_count, second.reused_count) == (0, 11)
    assert (second.lines, second.rows, second.status_counts) == (first.lines, first.rows, first.status_counts)


def append(study: Path) -> None:
    with (study / "default/run01/sun-ha3/messages").open("a") as file:
        file.write("Jul 28 10:28:00 sun-ha3 su: more\nno head\n")


@pytest.mark.usefixtures("without_views")
def test_only_what_changed_is_parsed(study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(study, tmp_path / "a.duckdb")
    append(study)
    parsed = []
    real = lines.read_lines

    def watched(stream: Any, file_id: int, *rest: Any) -> Any:
        parsed.append(file_id)
        return real(stream, file_id, *rest)

    monkeypatch.setattr(file_reading, "read_lines", watched)
    result = run(study, tmp_path / "a.duckdb")
    assert parsed == [files(tmp_path / "a.duckdb")["default/run01/sun-ha3/messages"]["file_id"]]
    assert (result.read_count, result.reused_count, result.vanished_count) == (1, 10, 0)


@pytest.mark.usefixtures("without_views")
def test_a_change_within_the_tick_of_the_time_stamp_is_seen(study: Path, tmp_path: Path) -> None:
    file = study / "default/run01/sun-ha3/messages"
    file.touch()
    run(study, tmp_path / "a.duckdb")
    stamp = file.stat().st_mtime_ns
    file.write_text(file.read_text().replace("sshd", "sshx"))
    os.utime(file, ns=(stamp, stamp))
    assert not run(study, tmp_path / "a.duckdb").is_unchanged


@pytest.mark.usefixtures("without_views")
def test_another_study_is_refused_unless_asked_to_replace(study: Path, tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    run(study, db)
    other = tmp_path / "elsewhere" / "study"
    shutil.copytree(study / "default" / "run01", other)
    with pytest.raises(UsageError, match="--replace"):
        run(other, db)
    assert len(files(db)) == 12
    run(other, db, replace=True)
    assert len(files(db)) == 4


@pytest.mark.usefixtures("without_views")
def test_only_a_store_of_haledger_is_overwritten(study: Path, tmp_path: Path) -> None:
    db, foreign = tmp_path / "a.duckdb", tmp_path / "b.duckdb"
    db.write_text("my notes" * 1000)
    duckdb.connect(str(foreign)).execute("create table t (a int)").close()
    for place, message in ((db, "not a DuckDB file"), (foreign, "not one that haledger wrote")):
        before = place.read_bytes()
        with pytest.raises(StoreError, match=message):
            run(study, place)
        with pytest.raises(UsageError, match="not a store that haledger wrote"):
            run(study, place, replace=True)
        assert place.read_bytes() == before


@pytest.mark.usefixtures("without_views")
def test_link_to_a_store_is_followed(study: Path, tmp_path: Path) -> None:
    kept, link = tmp_path / "large disk" / "a.duckdb", tmp_path / "link.duckdb"
    kept.parent.mkdir()
    link.symlink_to(kept)
    run(study, link)
    assert link.is_symlink()
    assert kept.is_file()
    assert not kept.is_symlink()


@pytest.mark.usefixtures("without_views")
def test_a_store_in_use_is_an_error_with_the_number_of_its_user(study: Path, tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    run(study, db)
    code = f"import duckdb, sys; con = duckdb.connect({str(db)!r}); print('ready', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(StoreError, match=f"process {holder.pid}"):
            run(study, db)
        holder.communicate(b"")


@pytest.mark.usefixtures("without_views")
def test_the_store_may_lie_in_the_study(study: Path) -> None:
    db = study / "haledger.duckdb"
    run(study, db)
    assert run(study, db).is_unchanged
    assert "haledger.duckdb" not in files(db)


# Failures


def rewrite(study: Path) -> None:
    target = study / "default/run01/sun-ha3/messages"
    target.write_bytes(target.read_bytes())


@pytest.mark.usefixtures("without_views")
@pytest.mark.parametrize("change", [append, rewrite])
def test_a_file_that_changes_while_it_is_read_is_noted_and_read_again(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None]
) -> None:
    target = study / "default/run01/sun-ha3/messages"
    real = lines.read_lines

    def growing(stream: Any, *rest: Any) -> Any:
        if stream.name == str(target) or os.fstat(stream.fileno()).st_ino == target.stat().st_ino:
            change(study)
        return real(stream, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(file_reading, "read_lines", growing)
        run(study, tmp_path / "a.duckdb")
    note = files(tmp_path / "a.duckdb")["default/run01/sun-ha3/messages"]["note"]
    assert CHANGED in note
    assert run(study, tmp_path / "a.duckdb").read_count == 1
    assert files(tmp_path / "a.duckdb")["default/run01/sun-ha3/messages"]["note"] is None


# Content


@pytest.mark.usefixtures("without_views")
@COSTLY
@given(
    st.lists(
        st.one_of(
            st.binary(max_size=80),
            st.sampled_from(
                [
                    b"Jul 28 10:27:04 sun-ha3 kernel: text\n",
                    b"\n",
                    b" \t\n",
                    b"2003/07/28 10:27:04 VCS INFO V-16-1-10077 text\n",
                    b"Feb 30 10:27:04 sun-ha3 kernel: no such day\n",
                    b"\r\n",
                ]
            ),
        ),
        max_size=12,
    ),
    st.sampled_from(["syslog", "vcs_engine", "db2diag", "main_cf"]),
)
def test_lines_are_accounted_for_with_any_bytes(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes], format_name: str
) -> None:
    folder = tmp_path_factory.mktemp("any")
    study = folder / "study"
    study.mkdir()
    (study / "any.log").write_bytes(b"".join(parts))
    (study / "study.toml").write_text(f'[[files]]\nmatch = "any.log"\nformat = "{format_name}"\n')
    run(study, folder / "a.duckdb")
    assert_accounted(folder / "a.duckdb")
    row = files(folder / "a.duckdb")["any.log"]
    assert row["bytes"] == len(b"".join(parts))
    assert rows(folder / "a.duckdb", "select count(*) from main.rejected_line") == [(row["rejected_lines"],)]
    shutil.rmtree(folder)


@pytest.mark.usefixtures("without_views")
def test_odd_names_reach_the_store(tmp_path: Path) -> None:
    study = tmp_path / 'it\'s a "study"\n'
    odd = ["a\nb", "\x1b[31mred", "quo'te\"d", "{{7*7}}"]
    for name in odd:
        (study / name).mkdir(parents=True)
        (study / name / "engine_A.log").write_text(ENGINE.format(second=1))
    db = tmp_path / 'it\'s "a".duckdb'
    run(study, db)
    assert sorted(files(db)) == sorted(f"{name}/engine_A.log" for name in odd)
    assert {row["configuration"] for row in files(db).values()} == set(odd)
    (study / "a\nb" / "engine_A.log").unlink()
    run(study, db)
    assert len(files(db)) == 3


@pytest.mark.usefixtures("without_views")
def test_encodings_are_recorded(tmp_path: Path) -> None:
    study = tmp_path / "study"
    study.mkdir()
    text = "2003/07/28 10:27:04 VCS INFO V-16-1-10077 Größe\r\n"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
        (study / f"{encoding}.log").write_bytes(text.encode(encoding))
    run(study, tmp_path / "a.duckdb")
    assert {path: row["encoding"] for path, row in files(tmp_path / "a.duckdb").items()} == {
        "cp1252.log": "cp1252",
        "utf-16.log": "utf-16-le",
        "utf-8-sig.log": "utf-8-sig",
        "utf-8.log": "utf-8",
    }
    assert rows(tmp_path / "a.duckdb", "select distinct text from log.vcs_event") == [("Größe",)]


@pytest.mark.usefixtures("without_views")
def test_rejected_lines_are_kept_up_to_a_number_and_counted_beyond(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unit, "MAX_REJECTED", 10)
    (study / "bad.log").write_text("no head\n" * 25)
    (study / "study.toml").write_text('[[files]]\nmatch = "bad.log"\nformat = "vcs_engine"\n')
    result = run(study, tmp_path / "a.duckdb")
    assert result.rejected_lines == 25
    row = files(tmp_path / "a.duckdb")["bad.log"]
    assert row["rejected_lines"] == 25
    assert row["note"].startswith("rejected_line holds the first 10")
    assert rows(tmp_path / "a.duckdb", "select count(*), max(line_no) from main.rejected_line") == [(10, 10)]


@pytest.mark.usefixtures("without_views")
def test_memory_disk_and_chunks_make_no_difference(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(study, tmp_path / "a.duckdb")
    monkeypatch.setattr(staging, "STAGE_BYTES", 0)
    monkeypatch.setattr(file_reading, "chunk_bytes", lambda _: 60)
    run(study, tmp_path / "b.duckdb")
    assert tables(tmp_path / "a.duckdb") == tables(tmp_path / "b.duckdb")


@pytest.mark.usefixtures("without_views")
@pytest.mark.parametrize("asked", [None, 10_000_000_000])
def test_a_store_that_needs_more_memory_gets_it_unless_a_limit_was_asked_for(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: int | None
) -> None:
    limits: list[str] = []
    write_rows = writing.write_rows

    def write_if_enough(con: duckdb.DuckDBPyConnection, *args: Any) -> object:
        limits.extend(con.execute("select current_setting('memory_limit')").fetchone() or ())
        if len(limits) == 1:
            raise duckdb.OutOfMemoryException("failed to pin block")
        return write_rows(con, *args)

    monkeypatch.setattr(writing, "write_rows", write_if_enough)
    db = tmp_path / "a.duckdb"
    if asked is not None:
        with pytest.raises(StoreError, match="failed to pin block"):
            run(study, db, memory_bytes=asked)
        assert (len(limits), db.exists()) == (1, False)
        return
    shown: list[tuple[str, float]] = []
    run(study, db, progress=lambda step, share: shown.append((step, share)))
    assert_accounted(db)
    first, second = limits
    assert first != second
    anew = next(at for at, (step, _) in enumerate(shown) if step == "looking for files, again with more memory")
    assert shown[anew - 1][0] == "copying"
    assert all(step.endswith(", again with more memory") for step, _ in shown[anew:])
    shares = [share for _, share in shown]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_a_relation_that_half_of_the_memory_is_not_enough_for_ends_the_ingest_at_once(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(*_: object, **__: object) -> None:
        raise RelationError("milestone.sql: failed to pin block") from duckdb.OutOfMemoryException(
            "failed to pin block"
        )

    monkeypatch.setattr(relations, "fill", fill)
    steps: list[str] = []
    with pytest.raises(StoreError, match="half of the free memory is not enough: milestone"):
        run(study, tmp_path / "a.duckdb", progress=lambda step, _: steps.append(step))
    assert "looking for files, again with more memory" not in steps


@pytest.mark.usefixtures("without_views")
def test_progress_ends_at_one_and_never_goes_back(study: Path, tmp_path: Path) -> None:
    shares: list[float] = []
    run(study, tmp_path / "a.duckdb", progress=lambda _, share: shares.append(share))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


@pytest.mark.usefixtures("without_views")
def test_nothing_of_this_needs_pyarrow(study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    run(study, tmp_path / "a.duckdb")
    append(study)
    run(study, tmp_path / "a.duckdb")
    assert len(files(tmp_path / "a.duckdb")) == 12


@pytest.mark.usefixtures("without_views")
@pytest.mark.parametrize(
    "stamp",
    [
        "0001-01-01T00:00:00+14:00",  # the zero time of Go, in a zone east of Greenwich
        "9999-12-31T23:59:59-14:00",
        "0000-01-01T00:00:00+00:00",
    ],
)
def test_a_time_that_no_client_can_hold_is_none(stamp: str, tmp_path: Path) -> None:
    study = tmp_path / "study"
    study.mkdir()
    good = [f"2026-01-01T10:00:{second:02d}+00:00 h kernel: x" for second in range(20)]
    (study / "messages").write_text("\n".join([*good[:6], f"{stamp} h kernel: RTC not set", *good[6:]]) + "\n")
    run(study, tmp_path / "a.duckdb")
    assert rows(tmp_path / "a.duckdb", 'select count(*), count("at") from log.syslog_event') == [(21, 20)]
    assert files(tmp_path / "a.duckdb")["messages"]["first_at"] == datetime(2026, 1, 1, 10)  # noqa: DTZ001  naive UTC
