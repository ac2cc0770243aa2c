"""Logs that begin late, or were cut or damaged where they are compressed: what is read of them."""

import gzip
from pathlib import Path

import duckdb

from pipeline.ingest.ingest import ingest
from tests.support.failover_logs import ingested


def test_log_of_a_container_begins_behind_what_its_entrypoint_prints(tmp_path: Path) -> None:
    (tmp_path / "study").mkdir()
    printed = [f"checking file {number} of 500 {{ ok }}" for number in range(500)]
    wrapped = [f'{{"log":"2024-02-09T10:57:{second:02}.5Z 0 [Note] a","stream":"stderr"}}' for second in range(60)]
    (tmp_path / "study" / "mysqld.log").write_text("\n".join([*printed, *wrapped]) + "\n")
    (tmp_path / "study" / "build.out").write_text("\n".join(printed * 2) + "\n")
    ingest(tmp_path / "study", tmp_path / "a.duckdb")
    with duckdb.connect(str(tmp_path / "a.duckdb"), read_only=True) as con:
        files = con.execute(
            "select path, format, parsed_lines, rejected_lines from source_file order by path"
        ).fetchall()
        dated = con.execute('select count(*) from event where "at" is not null').fetchone()
    assert files == [("build.out", None, 0, 0), ("mysqld.log", "container_log", 60, 500)]
    assert dated == (60,)


LOG = "".join(
    f"2026-03-02T09:00:{second:02d}+00:00 oak cron: {second * 7919 % 9973}\n" for second in range(60)
).encode()


def test_log_that_was_cut_or_damaged_where_it_is_compressed(tmp_path: Path) -> None:
    whole = gzip.compress(LOG, mtime=0)
    damaged = bytearray(whole)
    damaged[12] ^= 0xFF
    folder = tmp_path / "plain" / "run1" / "oak"
    folder.mkdir(parents=True)
    (folder / "a.log.gz").write_bytes(whole)
    (folder / "b.log.gz").write_bytes(gzip.compress(LOG.replace(b"oak", b"elm"), mtime=0)[: len(whole) // 2])
    (folder / "c.log.gz").write_bytes(bytes(damaged))
    store = ingested(tmp_path)
    assert store.rows("select parse_filename(path), status from source_file order by path") == [
        ("a.log.gz", "parsed"),
        ("b.log.gz", "parsed"),
        ("c.log.gz", "unreadable"),
    ]
    ((text,),) = store.rows("select text from finding where kind = 'damaged_file'")
    assert text.startswith("plain/run1/oak/b.log.gz was read in part: the compressed data end early after")
    ((text,),) = store.rows("select text from finding where kind = 'unread_file'")
    assert text.startswith("plain/run1/oak/c.log.gz was not read (unreadable): the compressed data are damaged after 0")
