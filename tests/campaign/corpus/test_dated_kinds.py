"""Logs of a hundred kinds are dated and searchable once `haledger init` was asked, and no line is lost."""

from pathlib import Path

import pytest

from pipeline.ask.init_study import propose
from pipeline.ingest.ingest import ingest
from pipeline.store import store
from tests.support.dated_kinds import KINDS, log_of

UNCHECKED = {"squid_access", "valkey_epoch"}
"""Their seconds since 1970 are the same on all lines."""

LEAST_SHARE = 0.95


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    study = tmp_path_factory.mktemp("kinds")
    for kind in KINDS:
        (study / f"{kind}.txt").write_text(log_of(kind)[0])
    (study / "study.toml").write_text(propose(study))
    path = study.with_suffix(".duckdb")
    ingest(study, path)
    return path


def test_nearly_all_kinds_are_dated_as_printed(db: Path) -> None:
    with store.opened(db) as con:
        rows = con.execute(
            "select s.path, date_trunc('second', e.local_at) from (select file_id, local_at from log.log_record "
            "union all select file_id, local_at from log.syslog_event) as e "
            "inner join source_file as s using (file_id) where e.local_at is not null"
        ).fetchall()
    found: dict[str, list[object]] = {}
    for path, moment in rows:
        found.setdefault(path.removesuffix(".txt"), []).append(moment)
    wrong = [
        kind
        for kind in KINDS
        if len(found.get(kind, [])) != 3 or (kind not in UNCHECKED and sorted(found[kind], key=str) != log_of(kind)[1])
    ]
    assert len(wrong) <= (1 - LEAST_SHARE) * len(KINDS), wrong


def test_every_line_is_accounted_for(db: Path) -> None:
    with store.opened(db) as con:
        lost = con.execute(
            "select path from source_file where format is not null and lines <> "
            "parsed_lines + continuation_lines + ignored_lines + blank_lines + rejected_lines"
        ).fetchall()
    assert lost == []
