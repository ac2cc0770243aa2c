"""Lines that are in a study more than once are counted once; what a log says several times is not touched."""

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from pipeline.ingest import deduplication
from pipeline.ingest.ingest import ingest
from pipeline.reading import duplicates
from pipeline.reading.overlap import overlaps
from pipeline.store import store
from tests.support.packed import COMPRESSED, every_form, tar, write

NOW = datetime(2004, 1, 1)  # noqa: DTZ001  naive UTC
OLD_NS = 10**18  # old enough for time stamps to be trusted


@pytest.fixture(autouse=True)
def _without_views(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.store.relations.fill", lambda _, **__: None)


def log(first: int, end: int, host: str = "sun-ha4", text: str = "line") -> bytes:
    """One line a second."""
    return b"".join(
        f"Jul 28 10:{number // 60:02d}:{number % 60:02d} {host} kernel: {text} {number}\n".encode()
        for number in range(first, end)
    )


def second(count: int, text: str = "link 1 down") -> bytes:
    """The same message several times in one second."""
    return b"Jul 28 10:03:00 sun-ha4 kernel: %s\n" % text.encode() * count


def diag(first: int, end: int) -> bytes:
    """Records of four lines."""
    return b"".join(
        f"2003-07-28-10.{number:02d}.00.000000-240 I{number}A1 LEVEL: Event\nPID : 1 TID : 1\nMESSAGE : m\n\n".encode()
        for number in range(first, end)
    )


class Study:
    """A study and its store."""

    def __init__(self, root: Path, files: Mapping[str, bytes]) -> None:
        self.root = root / "study"
        self.db = root / "a.duckdb"
        self.add(files)

    def add(self, files: Mapping[str, bytes]) -> None:
        write(self.root, files)
        for name in files:
            os.utime(self.root / name, ns=(OLD_NS, OLD_NS))

    def ingest(self, db: Path | None = None) -> "Study":
        ingest(self.root, db or self.db, now=NOW)
        return self

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with store.opened(self.db) as con:
            return con.execute(query).fetchall()

    def texts(self, table: str = "syslog_event") -> list[str]:
        return [text for (text,) in self.rows(f"select text from log.{table} order by all")]

    def reasons(self) -> dict[str, str]:
        found = self.rows("select path, reason from main.source_file")
        return {path: reason.rpartition("syslog head; ")[2] for path, reason in found if "counted once" in reason}

    def tables(self, db: Path | None = None) -> dict[str, list[str]]:
        with store.opened(db or self.db) as con:
            names = con.execute("select schema_name || '.' || table_name from duckdb_tables()").fetchall()
            return {
                name: sorted(str(row) for row in con.execute(f"select * from {name}").fetchall()) for (name,) in names
            }

    def is_accounted(self) -> bool:
        return not self.rows(
            "select path from main.source_file where lines <> "
            "parsed_lines + continuation_lines + ignored_lines + blank_lines + rejected_lines"
        )


WHOLE = log(0, 300)


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Those of the whole log in a plain file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipeline.store.relations.fill", lambda _, **__: None)
        return Study(tmp_path_factory.mktemp("plain"), {"messages": WHOLE}).ingest().texts()


FORMS = {
    "crlf": WHOLE.replace(b"\n", b"\r\n"),
    "bom": b"\xef\xbb\xbf" + WHOLE,
    "utf16": WHOLE.decode().encode("utf-16"),
    "renamed.old": WHOLE,
    "twice": WHOLE + WHOLE,
    "thrice.gz": COMPRESSED["gz"](WHOLE) * 3,
    **every_form("messages", WHOLE),
}


@pytest.mark.parametrize("name", FORMS)
def test_every_form_gives_the_rows_of_the_plain_file(tmp_path: Path, texts: list[str], name: str) -> None:
    study = Study(tmp_path, {name: FORMS[name]}).ingest()
    assert study.texts() == texts
    assert study.is_accounted()


def test_all_forms_together_give_the_rows_of_the_plain_file(tmp_path: Path, texts: list[str]) -> None:
    study = Study(tmp_path, FORMS | {"messages": WHOLE}).ingest()
    assert study.texts() == texts
    assert study.is_accounted()


@pytest.mark.parametrize(
    ("files", "told"),
    [
        pytest.param(
            {"messages.1": WHOLE, "messages.1.gz": COMPRESSED["gz"](WHOLE)},
            {"messages.1.gz": "a copy of messages.1, counted once"},
            id="compressed copy",
        ),
        pytest.param(
            {"messages": WHOLE, "early": log(0, 120)},
            {"early": "its lines are lines 1-120 of messages, counted once"},
            id="earlier copy of a growing log",
        ),
        pytest.param(
            {"messages": WHOLE, "early": log(0, 1)},
            {"early": "its lines are lines 1-1 of messages, counted once"},
            id="copied after its first line",
        ),
        pytest.param(
            {"messages": WHOLE, "early": log(0, 120)[:-11]},
            {"early": "its lines are lines 1-120 of messages, counted once"},
            id="copied in the midst of a line",
        ),
        pytest.param(
            {"messages.1": log(0, 200), "messages": log(200, 300), "early": log(0, 120)},
            {"early": "its lines are lines 1-120 of messages.1, counted once"},
            id="earlier copy of what was rotated since",
        ),
        pytest.param(
            {"messages.1": log(0, 200), "messages": log(197, 300)},
            {"messages.1": "lines 198-200 are lines 1-3 of messages, counted once"},
            id="rotated copies that overlap",
        ),
        pytest.param(
            {"all": log(0, 200) + log(150, 300)},
            {"all": "lines 201-250 repeat lines 151-200, counted once"},
            id="overlapping copies in one file",
        ),
        pytest.param(
            {"all": log(0, 200) + log(0, 300)},
            {"all": "lines 201-400 repeat lines 1-200, counted once"},
            id="two states of a growing log in one file",
        ),
        pytest.param(
            {"all": log(0, 300), "part": log(100, 200)},
            {"part": "its lines are lines 101-200 of all, counted once"},
            id="a part of a log",
        ),
        pytest.param(
            {"all": log(0, 2) * 2 + log(2, 300)},
            {},
            id="two lines are no proof",
        ),
    ],
)
def test_lines_are_counted_once(
    tmp_path: Path, texts: list[str], files: dict[str, bytes], told: dict[str, str]
) -> None:
    study = Study(tmp_path, files).ingest()
    assert study.reasons() == told
    assert study.is_accounted()
    if told:
        assert study.texts() == texts


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"messages": log(0, 180) + second(9) + log(181, 200)}, id="many times in a second"),
        pytest.param({"messages": log(0, 180) + (second(1) + second(1, "up")) * 9}, id="in turns in a second"),
        pytest.param(
            {"messages.1": log(0, 180) + second(5), "messages": second(5) + log(181, 200)}, id="rotated meanwhile"
        ),
        pytest.param({"messages": log(0, 99), "secure": log(0, 99, text="other")}, id="two logs of the same times"),
        pytest.param({"messages": log(0, 50), "more": log(20, 40) + log(60, 70)}, id="in the midst of another"),
        pytest.param({"messages": log(0, 50) + log(20, 30, text="x") + log(30, 50)}, id="a step back of the clock"),
        pytest.param({"run01/m": WHOLE, "run02/m": WHOLE}, id="two runs"),
        pytest.param({"default/m": WHOLE, "tuned/m": WHOLE}, id="two configurations"),
        pytest.param({"a": log(0, 50), "b": log(0, 50, "sun-ha3")}, id="two nodes"),
    ],
)
def test_what_a_log_says_several_times_is_kept(tmp_path: Path, files: dict[str, bytes]) -> None:
    study = Study(tmp_path, files).ingest()
    assert len(study.texts()) == sum(content.count(b"\n") for content in files.values())
    assert study.reasons() == {}


def test_records_are_not_torn(tmp_path: Path) -> None:
    whole = Study(tmp_path / "whole", {"db2diag.log": diag(0, 40)}).ingest()
    later = b"".join(diag(0, 40).splitlines(keepends=True)[20 * 4 + 1 :])  # without the head of its first record
    parts = Study(tmp_path / "parts", {"a.log": diag(0, 30)[:-20], "b.log": later}).ingest()
    count = "select count(*), count(distinct local_at) from log.db2diag_record"
    assert parts.rows(count) == whole.rows(count)


def test_undated_files_are_copies_only_by_name(tmp_path: Path) -> None:
    main_cf = b'include "types.cf"\ncluster c (\n)\nsystem sun-ha4 (\n)\n'
    study = Study(
        tmp_path, {"main.cf": main_cf, "main.cf.gz": COMPRESSED["gz"](main_cf), "before.cf": main_cf}
    ).ingest()
    assert [path for path, *_ in study.rows("select path from source_file where rows > 0 order by all")] == [
        "before.cf",
        "main.cf",
    ]


# The second time


SEQUENCE = {
    "messages": log(150, 300),
    "messages.1.gz": COMPRESSED["gz"](log(0, 160)),
    "early": log(0, 100),
    "all": log(0, 160) + log(0, 160),
    "bundle.tar.xz": COMPRESSED["xz"](tar({"var/log/messages": log(100, 300), "var/log/messages.1": log(0, 100)})),
    "engine_A.log": b"2003/07/28 10:00:00 VCS INFO V-16-1-10077 Received new cluster membership\n",
}


def test_rows_and_findings_of_unchanged_groups_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = Study(tmp_path, {"messages": WHOLE, "twice": WHOLE + log(0, 400), "x/run01/b/messages": WHOLE}).ingest()
    before = study.texts()
    study.add({"engine_A.log": SEQUENCE["engine_A.log"]})  # another format; its year does not change that of the logs
    compared = []
    real = duplicates.copies

    def watched(group: duplicates.Group) -> Any:
        compared.append([each.path for each in group.logs])
        return real(group)

    monkeypatch.setattr(deduplication, "copies", watched)
    study.ingest()
    assert compared == [["engine_A.log"]]
    assert study.texts() == before


def test_many_logs_that_differ_in_a_line_are_not_compared_line_by_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of containers of one node write logs of one time, each with a line or two of its own."""
    compared = []

    def counted(*both: Any) -> list[Any]:
        compared.append(both)
        return overlaps(*both)

    monkeypatch.setattr("pipeline.reading.duplicates.overlaps", counted)
    files = {
        f"default/run01/sun-ha4/messages.{number}": log(0, 60).replace(b"line 59", b"own %d" % number)
        for number in range(40)
    }
    files["default/run01/sun-ha4/copy"] = files["default/run01/sun-ha4/messages.7"]
    study = Study(tmp_path, files).ingest()
    assert len(compared) == 1
    assert len(study.texts()) == 40 * 60
